"""Why plans fail, from what is on record. Source: RF-008."""

from reflection.causes.changing import adjustments_of
from reflection.causes.choosing import cause_of
from reflection.causes.contracts import Cause, CauseKind, Fact
from reflection.causes.learning import learning_of
from reflection.causes.saying import analysis_of
from reflection.causes.writing import reflection_of

__all__ = (
    "Cause",
    "CauseKind",
    "Fact",
    "adjustments_of",
    "analysis_of",
    "cause_of",
    "learning_of",
    "reflection_of",
)
