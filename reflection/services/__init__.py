"""Writes of reflection."""

from .putting import force_end, force_put
from .reviewing import reflection_approve, reflection_edit, reflection_reject
from .storing import reflection_store

__all__ = (
    "force_end",
    "force_put",
    "reflection_approve",
    "reflection_edit",
    "reflection_reject",
    "reflection_store",
)
