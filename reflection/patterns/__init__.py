"""Recurring outcomes of a user. Sources: RT-010, 5; design.md, "Settled where the sources conflict", 5."""

from .counting import OCCURRENCES_AT_LEAST, ending_of, pattern_recounted, validity_of, wilson_lower
from .features import features_of
from .finding import patterns_found
from .words import pattern_words

__all__ = (
    "OCCURRENCES_AT_LEAST",
    "ending_of",
    "features_of",
    "pattern_recounted",
    "pattern_words",
    "patterns_found",
    "validity_of",
    "wilson_lower",
)
