"""What experience teaches, and what reflections adjust. Sources: RF-007, scenarios 2, 13 and 14."""

from planning.experience.adjusting import adjustments_apply
from planning.experience.adjustments import adjustment_parse
from planning.experience.applying import learnings_apply
from planning.experience.conditions import bound_of
from planning.experience.context import adjustments_in
from planning.experience.contracts import Learnings
from planning.experience.distilling import learnings_of
from planning.experience.fields import better_side, field_in, field_key
from planning.experience.naming import condition_said
from planning.experience.precedence import adjustment_worded
from planning.experience.sayings import phrase_of
from planning.experience.words import normalised, speaks_to_a_model, stems

__all__ = (
    "Learnings",
    "adjustment_parse",
    "adjustment_worded",
    "adjustments_apply",
    "adjustments_in",
    "better_side",
    "bound_of",
    "condition_said",
    "field_in",
    "field_key",
    "learnings_apply",
    "learnings_of",
    "normalised",
    "phrase_of",
    "speaks_to_a_model",
    "stems",
)
