"""What a question asks for: the documented schema, and beside it the details. Source: spec 5, section 1."""

from typing import Any, Final, Literal, get_args

from pydantic import Field

from core.contracts import Contract

AnalysisLabel = Literal[
    "total", "compare", "trend", "distribution", "anomaly", "correlation", "share", "rank", "list", "forecast"
]
ANALYSES: Final[tuple[AnalysisLabel, ...]] = get_args(AnalysisLabel)
"""The closed set. The document names the first six and "etc."; share and rank are of issue 16, the others are here:
`list` are rows as they are, `forecast` is what comes next."""

Output = Literal["chart", "table"]
Grain = Literal["hour", "day", "week", "month", "quarter", "year", "weekday", "month_of_year"]
GRAINS: Final[tuple[Grain, ...]] = get_args(Grain)
"""Periods; hours of the day (0 to 23), weekdays (1 to 7 from Monday) and months of the year (1 to 12) are cyclic."""
Function = Literal["sum", "mean", "median", "min", "max", "count", "count_distinct", "std", "none"]
FUNCTIONS: Final[tuple[Function, ...]] = get_args(Function)
"""`none`: the bare values, row by row."""
ChartType = Literal["bar", "line", "pie", "scatter", "histogram", "box", "heatmap"]
Operator = Literal[
    "=", "!=", ">", ">=", "<", "<=", "between", "in", "not_in", "contains", "not_contains", "null", "not_null"
]
Arithmetic = Literal["divide", "subtract", "multiply", "add"]
UNKNOWN: Final = "unknown"


class TimeRequirement(Contract):
    """The column that time is read from, and its grain; each is "unknown" where the question does not say."""

    column: str = UNKNOWN
    grain: Grain | Literal["unknown"] = UNKNOWN


class Requirements(Contract):
    """The contract of a plan. What is not asked is empty."""

    metrics: tuple[str, ...] = ()
    group_by: tuple[str, ...] = ()
    time: TimeRequirement = TimeRequirement()
    analysis: tuple[AnalysisLabel, ...] = ()
    outputs: tuple[Output, ...] = ()
    constraints: tuple[str, ...] = ()

    def keys(self) -> tuple[str, ...]:
        """Each requirement as a step cites it, such as "group_by=region"; time counts where anything of it is known."""
        lists = ("metrics", "group_by", "analysis", "outputs", "constraints")
        cited = [f"{field}={value}" for field in lists[:2] for value in self[field]]
        if self.time != TimeRequirement():
            cited.append(f"time={self.time.column}")
        return (*cited, *(f"{field}={value}" for field in lists[2:] for value in self[field]))


class Justification(Contract):
    """Why a requirement is there: the phrase of the question that asks for it, or none where it is `implicit`.

    `probability`: how likely this reading is; `alternatives`: what else the phrase may mean, the likeliest first.
    """

    requirement: str
    phrase: str = ""
    explicit: bool = True
    probability: float = Field(default=1.0, ge=0, le=1)
    alternatives: tuple[str, ...] = ()


class Expression(Contract):
    """A measure computed from two columns, row by row before they are aggregated where `func` is one of means."""

    operator: Arithmetic
    left: str
    right: str


class Aggregate(Contract):
    """A figure: a function of a column. `column` is None for the count of rows. `name` is its column in the result;
    `is_number` is False where the result is a text or a date, such as the last day.
    """

    column: str | None
    func: Function
    name: str
    expression: Expression | None = None
    is_number: bool = True
    phrase: str = ""


class Filter(Contract):
    """A condition on rows. `value`: a scalar; a list for `in` and `not_in`; low and high, both included, of `between`;
    None for `null` and `not_null`; `{"column": name}` to hold two columns against each other. Dates are ISO text. With
    a `grain` that part of a date is held against the value: its weekday, its month of the year.
    """

    column: str
    op: Operator
    value: Any = None
    grain: Grain | None = None
    phrase: str = ""


class Order(Contract):
    """`by` is the name of an aggregate or of a column."""

    by: str
    direction: Literal["asc", "desc"]
    phrase: str = ""


class Unmatched(Contract):
    """Something that was asked for and that the data does not have."""

    field: Literal["metrics", "group_by", "time", "constraints"]
    phrase: str
    nearest: tuple[str, ...] = ()


class Join(Contract):
    """Another table, whose rows come beside those of the first where `other_key` is `key`; `columns` are those of it
    that the question needs.
    """

    table: str
    key: str
    other_key: str
    columns: tuple[str, ...] = ()


class Details(Contract):
    """What the documented schema has no room for.

    `part`: those of `filters` that say which part of the whole a share is of. `having`: conditions on figures of
    groups. `listed`: columns that are shown row by row.
    """

    aggregates: tuple[Aggregate, ...] = ()
    filters: tuple[Filter, ...] = ()
    part: tuple[Filter, ...] = ()
    having: tuple[Filter, ...] = ()
    order: Order | None = None
    limit: int | None = None
    listed: tuple[str, ...] = ()
    joins: tuple[Join, ...] = ()
    chart: ChartType | None = None
    justifications: tuple[Justification, ...] = ()
    unmatched: tuple[Unmatched, ...] = ()
    language: str = "en"


class Reading(Contract):
    """A question, read."""

    requirements: Requirements
    details: Details


class ChartShape(Contract):
    """A chart as a reader would name it. `y` is None where rows are counted; `aggregate` is None for bare values."""

    type: ChartType
    x: str | None
    y: str | None
    aggregate: Literal["count", "sum", "avg", "min", "max", "median", "std", "count_distinct"] | None = None
    color: str | None = None
