"""Deterministic grading: strict rules, then misconceptions, then meaning. Pure functions; everything is passed in."""

from .attacks import looks_like_attack
from .examples import examples_digest, is_same_answer, is_turned
from .grader import grade, warm_up
from .verdicts import GRADER_VERSION, Embed
from .vocabulary import authored_texts

__all__ = [
    "GRADER_VERSION",
    "Embed",
    "authored_texts",
    "examples_digest",
    "grade",
    "is_same_answer",
    "is_turned",
    "looks_like_attack",
    "warm_up",
]
