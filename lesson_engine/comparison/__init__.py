"""Two versions of a lesson side by side: what was added, removed, moved and changed, word by word."""

from .compare import Comparison, FieldChange, MomentChange, StepChange, compare
from .words import Piece

__all__ = ["Comparison", "FieldChange", "MomentChange", "Piece", "StepChange", "compare"]
