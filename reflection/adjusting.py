"""Adjustments as they are written, and whether the strategy can follow them. Source: design.md, "Settled", 4."""

from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _

from memory.contracts import Adjustment
from memory.registry import adjustment_judge
from planning.learning import adjustment_parse
from reflection.contracts import AdjustmentProposed


def adjustment_fault(text: str) -> str | None:
    """Why this cannot be executed, in words; None where it can."""
    return _fault(adjustment_parse(text))


def adjustments_read(texts: Sequence[str], firm: Collection[str] = ()) -> list[AdjustmentProposed]:
    """Each with what it would change and why it cannot; those among `firm` come from an established pattern."""
    return [_read(text, text in firm) for text in texts]


def _read(text: str, firm: bool) -> AdjustmentProposed:
    adjustment = adjustment_parse(text)
    return AdjustmentProposed(text=text, adjustment=adjustment, fault=_fault(adjustment), firm=firm)


def _fault(adjustment: Adjustment | None) -> str | None:
    if adjustment is None:
        return _("It is none of the known forms, such as “Add constraint: quality >= 7”.")
    return adjustment_judge(adjustment)
