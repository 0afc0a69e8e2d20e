"""What experience teaches, and what reflections adjust. Sources: RF-007, scenarios 2, 13 and 14."""

from planning.learning.adjusting import adjustments_apply
from planning.learning.adjustments import adjustment_parse
from planning.learning.applying import learnings_apply
from planning.learning.contracts import Learnings
from planning.learning.distilling import learnings_of
from planning.learning.reflected import adjustments_in

__all__ = (
    "Learnings",
    "adjustment_parse",
    "adjustments_apply",
    "adjustments_in",
    "learnings_apply",
    "learnings_of",
)
