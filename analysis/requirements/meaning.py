"""What was decided about a question, and its form as requirements with details."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from analysis.contracts.naming import ROWS, result_names
from analysis.contracts.requirements import (
    Aggregate,
    AnalysisLabel,
    ChartType,
    Details,
    Expression,
    Filter,
    Function,
    Grain,
    Justification,
    Order,
    Output,
    Reading,
    Requirements,
    TimeRequirement,
    Unmatched,
)
from analysis.coverage.serving import CHART_PREFIX, LIMIT_PREFIX, ORDER_PREFIX, condition_text

_SIGNS = {"divide": "/", "subtract": "-", "multiply": "×", "add": "+"}


@dataclass(frozen=True)
class Reason:
    """The words that ask for something (none where it is implicit), how likely that is, and what else they may mean."""

    phrase: str = ""
    probability: float = 1.0
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True)
class Figure:
    """A function of a column, of two (`expression`), or of the rows (`column` None)."""

    column: str | None
    func: Function
    expression: Expression | None = None
    is_number: bool = True
    reason: Reason = Reason()

    @property
    def columns(self) -> tuple[str, ...]:
        if self.expression:
            return (self.expression.left, self.expression.right)
        return (self.column,) if self.column else ()

    @property
    def metric(self) -> str:
        """What is aggregated: the column, the name of what is computed, or `*`."""
        if self.expression:
            return f"{self.expression.left} {_SIGNS[self.expression.operator]} {self.expression.right}"
        return self.column or ROWS


@dataclass
class Meaning:
    """The decisions. `order_by` is None for the first figure. Reasons are by column, label, kind of
    requirement, or the words of a condition.
    """

    figures: list[Figure] = field(default_factory=list)
    groups: dict[str, Reason] = field(default_factory=dict)
    time: tuple[str, Grain | Literal["unknown"]] | None = None
    time_reason: Reason = Reason()
    filters: list[Filter] = field(default_factory=list)
    filter_reasons: dict[str, Reason] = field(default_factory=dict)
    part: list[Filter] = field(default_factory=list)
    having: list[Filter] = field(default_factory=list)
    direction: Literal["asc", "desc"] | None = None
    order_by: str | None = None
    order_reason: Reason = Reason()
    limit: int | None = None
    limit_reason: Reason = Reason()
    labels: dict[AnalysisLabel, Reason] = field(default_factory=dict)
    listed: list[str] = field(default_factory=list)
    chart: ChartType | None = None
    chart_reason: Reason = Reason()
    outputs: dict[Output, Reason] = field(default_factory=dict)
    unmatched: list[Unmatched] = field(default_factory=list)
    language: str = "en"


def reading_of(meaning: Meaning) -> Reading:
    """The documented requirements, and the details."""
    if meaning.time:
        meaning.figures = [_of_periods(figure) for figure in meaning.figures]
    order, meaning.having = _order(meaning), [_of_figure(condition, meaning) for condition in meaning.having]
    constraints = dict(_constraints(meaning, order))
    if _is_only_counted(meaning) and not constraints:
        meaning.labels["total"] = Reason()
    requirements = Requirements(
        metrics=tuple(dict.fromkeys(name for figure in meaning.figures for name in figure.columns)),
        group_by=tuple(meaning.groups),
        time=TimeRequirement(column=meaning.time[0], grain=meaning.time[1]) if meaning.time else TimeRequirement(),
        analysis=tuple(meaning.labels),
        outputs=tuple(meaning.outputs),
        constraints=tuple(constraints),
    )
    details = Details(
        aggregates=tuple(_aggregates(meaning)),
        filters=tuple(meaning.filters),
        part=tuple(meaning.part),
        having=tuple(meaning.having),
        order=order,
        limit=meaning.limit,
        listed=tuple(meaning.listed),
        chart=meaning.chart,
        justifications=tuple(_justifications(meaning, requirements, constraints)),
        unmatched=tuple(meaning.unmatched),
        language=meaning.language,
    )
    return Reading(requirements=requirements, details=details)


def _of_periods(figure: Figure) -> Figure:
    """Bare values over time are those of each period: the mean of numbers, how many different texts."""
    if figure.func != "none":
        return figure
    return replace(figure, func="mean" if figure.is_number else "count_distinct")


def _of_figure(condition: Filter, meaning: Meaning) -> Filter:
    """A condition on groups, held against its figure: of `*` the count of rows, else the first one."""
    if condition.column != ROWS:
        return condition
    figures = [pair for pair in zip(_names(meaning), meaning.figures, strict=True) if pair[1].func != "none"]
    figures.sort(key=lambda pair: pair[1].func != "count")
    return condition.model_copy(update={"column": figures[0][0]}) if figures else condition


def _is_only_counted(meaning: Meaning) -> bool:
    """Whether rows are counted, and nothing else says so: no requirement would ask for the count."""
    is_bare = not (meaning.labels or meaning.groups or meaning.time)
    return is_bare and bool(meaning.figures) and not any(figure.columns for figure in meaning.figures)


def _aggregates(meaning: Meaning) -> Iterator[Aggregate]:
    for figure, name in zip(meaning.figures, _names(meaning), strict=True):
        yield Aggregate(
            column=figure.column,
            func=figure.func,
            name=name,
            expression=figure.expression,
            is_number=figure.is_number or figure.func in ("count", "count_distinct"),
            phrase=figure.reason.phrase,
        )


def _names(meaning: Meaning) -> list[str]:
    """The column of each figure in the result; one that is computed is named after its parts."""
    axes = [*([meaning.time[0]] if meaning.time else []), *meaning.groups]
    made = [figure for figure in meaning.figures if figure.func != "none"]
    names = iter(result_names([figure.metric for figure in made], [figure.func for figure in made], axes))
    return [figure.metric if figure.func == "none" else next(names) for figure in meaning.figures]


def _order(meaning: Meaning) -> Order | None:
    if meaning.direction is None:
        return None
    first = next((name for name, figure in zip(_names(meaning), meaning.figures, strict=True) if figure.is_number), "")
    by = meaning.order_by or ("share" if "share" in meaning.labels else first)
    return Order(by=by, direction=meaning.direction, phrase=meaning.order_reason.phrase) if by else None


def _constraints(meaning: Meaning, order: Order | None) -> Iterator[tuple[str, Reason]]:
    for condition in (*meaning.filters, *meaning.having):
        reason = meaning.filter_reasons.get(condition.phrase, Reason(condition.phrase))
        yield condition_text(condition.model_dump()), reason
    if order:
        yield f"{ORDER_PREFIX}{order.by} {order.direction}", meaning.order_reason
    if meaning.limit is not None:
        yield f"{LIMIT_PREFIX}{meaning.limit}", meaning.limit_reason
    if meaning.chart:
        yield f"{CHART_PREFIX}{meaning.chart}", meaning.chart_reason


def _justifications(
    meaning: Meaning, requirements: Requirements, constraints: dict[str, Reason]
) -> Iterator[Justification]:
    figures = {f"metrics={name}": figure.reason for figure in reversed(meaning.figures) for name in figure.columns}
    reasons = figures | {f"group_by={name}": reason for name, reason in meaning.groups.items()}
    reasons |= {f"analysis={label}": reason for label, reason in meaning.labels.items()}
    reasons |= {f"outputs={output}": reason for output, reason in meaning.outputs.items()}
    reasons |= {f"constraints={text}": reason for text, reason in constraints.items()}
    if meaning.time:
        reasons[f"time={meaning.time[0]}"] = meaning.time_reason
    for key in requirements.keys():  # noqa: SIM118 - a list of requirements, not of a mapping
        reason = reasons.get(key, Reason())
        yield Justification(
            requirement=key,
            phrase=reason.phrase,
            explicit=bool(reason.phrase),
            probability=min(1.0, max(0.0, reason.probability)),
            alternatives=reason.alternatives,
        )
