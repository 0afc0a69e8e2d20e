"""What is wanted of the counts, and what was found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cached_property
from typing import Literal, NamedTuple

from core.contracts import Contract

Axis = Literal["day", "course", "label"]

DAYS_ONE_BY_ONE, DAYS_BY_WEEK = 92, 731


class Filters(Contract):
    """The part of the events that is counted: no course or mode means all of them; both days, in UTC, count.

    `course` is the choice of the reader, `courses` the courses of events behind it.
    """

    course: str = ""
    courses: tuple[str, ...] = ()
    mode: str = ""
    since: date
    until: date

    @property
    def span(self) -> tuple[datetime, datetime]:
        """The first moment of the first day, and the one after the last day, in UTC."""
        first, last = (datetime.combine(day, time(), UTC) for day in (self.since, self.until))
        return first, last + timedelta(days=1)


class Want(NamedTuple):
    """Figures of a measure, kept apart by these axes and summed over the others."""

    measure: str
    by: frozenset[Axis]


def want(measure: str, *by: Axis) -> Want:
    """`Want` with the axes one by one."""
    return Want(measure, frozenset(by))


@dataclass(frozen=True, slots=True)
class Cell:
    """How many events, and the sum of their amounts; an axis that was not wanted is None, or an empty text."""

    day: date | None
    course: str
    label: str
    count: int
    total: float


class Periods:
    """The days of the filters one by one; of more than three months, weeks (from Monday); of over two years, months.

    The first and the last may be cut off by the filters.
    """

    def __init__(self, filters: Filters) -> None:
        days = (filters.until - filters.since).days + 1
        self.unit = "day" if days <= DAYS_ONE_BY_ONE else "week" if days <= DAYS_BY_WEEK else "month"
        every = (self.start_of(filters.since + timedelta(days=number)) for number in range(days))
        self.starts: tuple[date, ...] = tuple(dict.fromkeys(every))

    def start_of(self, day: date) -> date:
        """The first day of the period that `day` is in."""
        if self.unit == "day":
            return day
        return day - timedelta(days=day.weekday()) if self.unit == "week" else day.replace(day=1)


@dataclass(frozen=True)
class Figures:
    """What was found for the filters. `behind` is how many events, at most, some measure has not got to yet."""

    filters: Filters
    cells: Mapping[Want, Sequence[Cell]]
    behind: int = 0

    @cached_property
    def periods(self) -> Periods:
        """How the time of the filters is cut."""
        return Periods(self.filters)

    def of(self, measure: str, *by: Axis) -> Sequence[Cell]:
        """The cells; raises `KeyError` for what was not wanted."""
        return self.cells[want(measure, *by)]

    def counts(self, measure: str) -> dict[str, int]:
        """How often each label was counted; wanted by label."""
        return {cell.label: cell.count for cell in self.of(measure, "label")}

    def over_time(self, measure: str, label: str | None = None) -> list[int]:
        """For each period how often; of one label when it was wanted by day and label, else wanted by day."""
        counts = dict.fromkeys(self.periods.starts, 0)
        for cell in self.of(measure, "day") if label is None else self.of(measure, "day", "label"):
            if cell.day is not None and label in (None, cell.label):
                counts[self.periods.start_of(cell.day)] += cell.count
        return list(counts.values())
