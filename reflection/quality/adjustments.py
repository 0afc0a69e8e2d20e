"""Adjustments in words, read once: what they change, and whether the strategy can follow them. Source: "Settled", 4."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from memory.strategy.registry import adjustment_judge
from planning.experience import adjustment_parse
from reflection.contracts import AdjustmentProposed, Reflection


def adjustments_of(reflection: Reflection) -> tuple[AdjustmentProposed, ...]:
    """The typed adjustments of a reflection; read from its texts where it comes without."""
    return reflection.adjustments or adjustments_read(reflection.strategy_adjustments)


def adjustments_read(texts: Sequence[str]) -> tuple[AdjustmentProposed, ...]:
    """Each text as a typed adjustment, with the reason why it cannot be executed, where it cannot."""
    return tuple(_read(text) for text in texts)


def _read(text: str) -> AdjustmentProposed:
    adjustment = adjustment_parse(text)
    if adjustment is None:
        fault: str | None = _("It is none of the known forms, such as “Add constraint: quality >= 7”.")
    else:
        fault = adjustment_judge(adjustment)
    return AdjustmentProposed(text=text, adjustment=adjustment, fault=fault)
