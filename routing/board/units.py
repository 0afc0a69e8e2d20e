"""How staff read the figures of the consult."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise

from routing.admin.values import domain_name
from routing.board.figures import DECILES, ConsultFigures
from routing.contracts.values import DOMAIN_KEYS
from telemetry.panels import percent

NOTHING = "–"
_SOME, _MANY = 1 / 3, 2 / 3


@dataclass(frozen=True)
class Mistaken:
    """A cell of the confusion. `tone` is 0 to 3 against the most frequent one; `same` is on the diagonal."""

    count: int
    tone: int
    same: bool = False


@dataclass(frozen=True)
class ConfusionRow:
    """Questions understood as one domain, by the domain that they are about."""

    domain: str | Promise
    cells: Sequence[Mistaken]
    together: int


@dataclass(frozen=True)
class Confusion:
    """Corrected plans as a table; only domains that occur."""

    columns: Sequence[str | Promise]
    rows: Sequence[ConfusionRow]
    totals: Sequence[int]
    together: int


def confusion_of(figures: ConsultFigures) -> Confusion | None:
    """None where nothing was corrected."""
    counts = figures.confusion
    if not counts:
        return None
    largest = max(counts.values())
    keys = [key for key in DOMAIN_KEYS if any(key in pair for pair in counts)]
    rows = [
        ConfusionRow(
            domain_name(was),
            [_mistaken(counts.get((was, about), 0), largest, same=was == about) for about in keys],
            sum(count for (first, _about), count in counts.items() if first == was),
        )
        for was in keys
    ]
    totals = [sum(count for (_was, about), count in counts.items() if about == key) for key in keys]
    return Confusion([domain_name(key) for key in keys], rows, totals, sum(totals))


def _mistaken(count: int, largest: int, *, same: bool) -> Mistaken:
    share = count / largest
    tone = 0 if not count else 1 if share <= _SOME else 2 if share <= _MANY else 3
    return Mistaken(count, tone, same)


def share_of(part: int, of: int) -> str:
    """To a tenth of a hundredth."""
    return percent(part, of, decimals=1)


def decile_named(number: int) -> str:
    """The probabilities of a tenth: "80–90 %"."""
    step = 100 // DECILES
    return f"{number * step}–{percent((number + 1) * step, 100)}"
