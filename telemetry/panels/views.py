"""What the dashboard shows, as plain values: words and numbers."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from django.utils.functional import Promise

from .figures import Figures, Filters, Want

Text = str | Promise
Tone = Literal["good", "partial", "bad", "quiet", "first", "second", "third", "fourth", "fifth", "sixth"]
"""The colour's meaning; the style sheet says which colour, in light and in dark. Those with numbers mean nothing."""

Unit = Literal["count", "dollars", "ms", "percent", "score"]
"""How many, US dollars, milliseconds, hundredths, or a share from 0 to 1."""


@dataclass(frozen=True)
class CourseChoice:
    """A course to filter by: `courses` are the courses of events behind it, at least one."""

    code: str
    title: str
    group: Text
    courses: tuple[str, ...]


@dataclass(frozen=True)
class Linked:
    """A text that leads somewhere."""

    url: str
    text: str


@dataclass(frozen=True)
class Written:
    """A number that is written out already, such as an amount of money."""

    text: str


TableCell = Linked | Written | str | int | float | date


@dataclass(frozen=True)
class Table:
    """The numbers of a panel; the first column names each row. A date is a day, or the first day of a week or month."""

    columns: Sequence[Text]
    rows: Sequence[Sequence[TableCell]]


@dataclass(frozen=True)
class Series:
    """One value for each category of a chart."""

    name: Text
    values: Sequence[float]
    tone: Tone


@dataclass(frozen=True)
class Bars:
    """Bars over time, or `sideways` one below the other by name; series side by side, or `stacked`."""

    categories: Sequence[date] | Sequence[str]
    series: Sequence[Series]
    stacked: bool = False
    sideways: bool = False
    unit: Unit = "count"


@dataclass(frozen=True)
class Line:
    """One value for each period; None where there is none, and then the line has a gap."""

    name: Text
    values: Sequence[float | None]
    tone: Tone


@dataclass(frozen=True)
class Mark:
    """A value that lines are compared with, drawn across the chart; its name is at its end, in short lines, `above` it
    or below.
    """

    name: Sequence[Text]
    value: float
    tone: Tone
    above: bool = True


@dataclass(frozen=True)
class Lines:
    """Values over time, with marks such as a target."""

    starts: Sequence[date]
    lines: Sequence[Line]
    marks: Sequence[Mark] = ()
    unit: Unit = "count"


@dataclass(frozen=True)
class Durations:
    """For each name how long something took: first quartile, median and third, in seconds above zero."""

    names: Sequence[str]
    quartiles: Sequence[tuple[float, float, float]]


Chart = Bars | Lines | Durations


@dataclass(frozen=True)
class View:
    """A panel filled in: one sentence that says what there is to see, all its numbers, and the chart of them."""

    summary: str
    table: Table
    chart: Chart


@dataclass(frozen=True)
class Heading:
    """Title and explanation of a panel or tile. `empty` is shown where nothing was counted."""

    code: str
    title: Text
    about: Text = ""
    empty: Text = ""
    wide: bool = False


@dataclass(frozen=True, kw_only=True)
class Panel(Heading):
    """A chart with its numbers. `build` returns None when nothing was counted.

    `of_courses` False: its figures belong to no course and no mode. It is shown behind the others, and not at all when
    a course or mode is chosen.
    """

    wants: Callable[[Filters], Iterable[Want]]
    build: Callable[[Figures], View | None]
    of_courses: bool = True


@dataclass(frozen=True)
class Number:
    """A tile filled in; `url` leads to what was counted. `tone` underlines what value and note say; none by itself."""

    value: str
    note: str = ""
    url: str = ""
    tone: Tone | None = None


@dataclass(frozen=True, kw_only=True)
class Tile(Heading):
    """One of the big numbers on top."""

    wants: tuple[Want, ...]
    build: Callable[[Figures], Number]
