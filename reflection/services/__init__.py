"""Writes of reflection."""

from .patterns import patterns_known
from .putting import force_end, force_put
from .reviewing import reflection_approve, reflection_edit, reflection_reject, review_is_latest
from .storing import Made, reflection_store

__all__ = (
    "Made",
    "force_end",
    "force_put",
    "patterns_known",
    "reflection_approve",
    "reflection_edit",
    "reflection_reject",
    "reflection_store",
    "review_is_latest",
)
