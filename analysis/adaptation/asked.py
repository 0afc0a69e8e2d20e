"""A reading as plans need it: figures, axes, names of results, and what cites them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from analysis.contracts.naming import COUNTS, ROWS, result_names
from analysis.contracts.requirements import (
    UNKNOWN,
    Aggregate,
    AnalysisLabel,
    ChartType,
    Filter,
    Function,
    Reading,
    TimeRequirement,
)
from analysis.coverage.serving import condition_text

SHARE: Final = "share"
"""The column of the part of the whole."""


@dataclass(frozen=True)
class Need:
    """Something to do: all of `capabilities`, with values by name of parameter, for the requirements of `keys`.

    `chart` is the kind of chart, None for any. `numbers`: which columns are, None where that does not matter. `whole`:
    parameters that a tool must have, so that nothing of them is left out.
    """

    capabilities: tuple[str, ...]
    params: dict[str, Any] = field(default_factory=dict)
    keys: tuple[str, ...] = ()
    chart: ChartType | None = None
    numbers: tuple[str, ...] | None = None
    whole: tuple[str, ...] = ()


class Asked:
    """A reading with what several needs look at.

    `axes`: time, then groups. `computed`: what is aggregated, with its column in the result; a ratio of sums needs both
    sums. `results`: the columns of the figures, or of the bare values; `numbers` those that are.
    """

    def __init__(self, reading: Reading) -> None:
        self.details, self.requirements = reading.details, reading.requirements
        self.keys = self.requirements.keys()
        figures = self.details.aggregates
        self.figures = [figure for figure in figures if figure.func != "none"]
        self.bare = [figure for figure in figures if figure.func == "none"]
        self.groups = list(self.requirements.group_by)
        time = self.requirements.time
        self.time = time if time != TimeRequirement() and time.column != UNKNOWN else None
        self.axes = list(dict.fromkeys([*([self.time.column] if self.time else []), *self.groups]))
        pairs = list(dict.fromkeys(pair for figure in self.figures for pair in _aggregated(figure)))
        names = result_names([metric for metric, _func in pairs], [func for _metric, func in pairs], self.axes)
        self.computed = dict(zip(pairs, names, strict=True))
        shown = self.figures or self.bare
        self.results = [self._result(figure) for figure in shown]
        self.numbers = [name for name, figure in zip(self.results, shown, strict=True) if figure.is_number]
        if self.details.part:
            self.results = self.numbers = [SHARE]
        self.texts = [name_of(figure) for figure in self.bare if not figure.is_number]
        self.is_in_groups = bool(self.figures or self.details.part or (self.groups and self.bare))

    def _result(self, figure: Aggregate) -> str:
        return self.computed.get((name_of(figure), figure.func)) or name_of(figure)

    def labels(self, *labels: AnalysisLabel) -> list[str]:
        return [f"analysis={label}" for label in labels if label in self.requirements.analysis]

    def columns(self, *figures: Aggregate) -> list[str]:
        """The citations of the columns that figures are made of."""
        names = [name for figure in figures for name in columns_of(figure)]
        return [key for name in names if (key := f"metrics={name}") in self.keys]

    def group_keys(self) -> list[str]:
        return [f"group_by={name}" for name in self.groups]

    def time_keys(self) -> list[str]:
        return [f"time={self.time.column}"] if self.time else []

    def constraints(self, conditions: Sequence[Filter]) -> list[str]:
        texts = [condition_text(condition.model_dump()) for condition in conditions]
        return [f"constraints={text}" for text in texts if f"constraints={text}" in self.keys]

    def has(self, label: AnalysisLabel) -> bool:
        return label in self.requirements.analysis


def name_of(figure: Aggregate) -> str:
    """The column that a figure is a function of; `*` for rows, the figure's own name where it is computed."""
    if figure.expression:
        return figure.name.removeprefix(f"{figure.func}_") if figure.func in COUNTS else figure.name
    return figure.column or ROWS


def columns_of(figure: Aggregate) -> tuple[str, ...]:
    if figure.expression:
        return (figure.expression.left, figure.expression.right)
    return (figure.column,) if figure.column else ()


def _aggregated(figure: Aggregate) -> list[tuple[str, Function]]:
    """What an aggregate computes for a figure."""
    names = columns_of(figure) if is_of_totals(figure) else (name_of(figure),)
    return [(name, figure.func) for name in names]


def is_of_totals(figure: Aggregate) -> bool:
    """Whether a ratio is that of two sums, not the mean of ratios."""
    return bool(figure.expression and figure.expression.operator == "divide" and figure.func == "sum")
