"""What is counted of query plans for staff."""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from pydantic import Field

from core.contracts import Contract

DECILES = 10


class Count(NamedTuple):
    """So many plans, and of how many of them somebody said that they are wrong."""

    plans: int
    corrected: int

    @property
    def share(self) -> float | None:
        """The share that was corrected; None of nothing."""
        return self.corrected / self.plans if self.plans else None


NOTHING = Count(0, 0)


class Decile(NamedTuple):
    """Plans whose probability lies in the same tenth; `said` is its mean among them, 0 to 1."""

    number: int
    said: float
    stood: Count


class Made(NamedTuple):
    """What plans were made with."""

    pack: str
    phase: int
    stood: Count


class ConsultFigures(Contract):
    """Of the plans that questions got at first; those that correct another are no answers of the router's.

    A plan counts as corrected when the last thing somebody said is that the question is about another domain than the
    plan's first one. Dates are those on which a period begins.
    """

    together: Count = NOTHING
    by_confidence: Mapping[tuple[date, str], Count] = Field(
        default_factory=dict, description="by period and confidence"
    )
    by_domain: Mapping[tuple[date, str], Count] = Field(default_factory=dict, description="by period and first domain")
    by_flag: Mapping[str, int] = Field(default_factory=dict)
    confusion: Mapping[tuple[str, str], int] = Field(
        default_factory=dict, description="of corrected ones, by what they were understood as and are about"
    )
    deciles: tuple[Decile, ...] = ()
    made: tuple[Made, ...] = ()
    errors: Mapping[date, int] = Field(default_factory=dict, description="questions that could not be read, by period")
    waiting: int = Field(default=0, ge=0, description="labelled examples that wait for staff, whatever the days")
    broken: int = Field(default=0, ge=0, description="chains of audit entries that the last check found broken")

    @property
    def failed(self) -> int:
        """How many questions could not be read."""
        return sum(self.errors.values())

    def of_confidence(self, confidence: str) -> Count:
        """Of one confidence, whatever the period."""
        return _sum(count for (_start, key), count in self.by_confidence.items() if key == confidence)

    def of_domain(self, domain: str) -> Count:
        """Of one first domain, whatever the period."""
        return _sum(count for (_start, key), count in self.by_domain.items() if key == domain)

    def at(self, start: date) -> Count:
        """Of one period."""
        return _sum(count for (begins, _key), count in self.by_confidence.items() if begins == start)


def _sum(counts: Iterable[Count]) -> Count:
    found = list(counts)
    return Count(sum(one.plans for one in found), sum(one.corrected for one in found))
