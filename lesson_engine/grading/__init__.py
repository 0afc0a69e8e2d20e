"""Deterministic grading: strict rules, then misconceptions, then meaning. Pure functions; everything is passed in."""

from .attacks import looks_like_attack
from .grader import grade, warm_up
from .verdicts import GRADER_VERSION, Embed
from .vocabulary import authored_texts

__all__ = ["GRADER_VERSION", "Embed", "authored_texts", "grade", "looks_like_attack", "warm_up"]
