"""Deterministic grading: strict rules, then misconceptions, then meaning. Pure functions; everything is passed in."""

from .attacks import looks_like_attack
from .authored import authored_texts
from .grader import grade
from .units import warm_up
from .verdicts import GRADER_VERSION, Embed

__all__ = ["GRADER_VERSION", "Embed", "authored_texts", "grade", "looks_like_attack", "warm_up"]
