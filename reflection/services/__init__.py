"""Writes of reflection."""

from .activation import reflection_activate, reflection_deactivate
from .patterns import patterns_known
from .reviewing import reflection_approve, reflection_edit, reflection_reject, review_is_latest
from .storing import Made, reflection_store

__all__ = (
    "Made",
    "patterns_known",
    "reflection_activate",
    "reflection_approve",
    "reflection_deactivate",
    "reflection_edit",
    "reflection_reject",
    "reflection_store",
    "review_is_latest",
)
