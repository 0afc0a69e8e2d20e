"""Why plans fail, by rules over the stored facts. Source: RF-008."""

from reflection.causes.contracts import Cause, CauseKind
from reflection.causes.detect.choosing import cause_of
from reflection.causes.wording.writing import reflection_of

__all__ = ("Cause", "CauseKind", "cause_of", "reflection_of")
