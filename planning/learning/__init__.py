"""What experience teaches, and what reflections adjust. Sources: RF-007, scenarios 2, 13 and 14."""

from planning.learning.adjusting import adjustments_apply
from planning.learning.adjustments import adjustment_parse
from planning.learning.applying import learnings_apply
from planning.learning.conditions import bound_of
from planning.learning.contracts import Learnings
from planning.learning.distilling import learnings_of
from planning.learning.fields import better_side, field_in, field_key
from planning.learning.naming import condition_said
from planning.learning.reflected import adjustments_in
from planning.learning.sayings import phrase_of
from planning.learning.words import folded, speaks_to_a_model, stems

__all__ = (
    "Learnings",
    "adjustment_parse",
    "adjustments_apply",
    "adjustments_in",
    "better_side",
    "bound_of",
    "condition_said",
    "field_in",
    "field_key",
    "folded",
    "learnings_apply",
    "learnings_of",
    "phrase_of",
    "speaks_to_a_model",
    "stems",
)
