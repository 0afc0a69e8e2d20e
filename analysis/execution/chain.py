"""What the steps have given so far, and the step that is being prepared."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import ibis

from analysis.contracts.naming import functions_of, result_names
from analysis.contracts.plans import Repair, Tool
from analysis.execution.outputs import Ask
from analysis.execution.param_types import params_of_kind

GROUPING: Final = frozenset({"aggregate", "group_by"})


@dataclass(frozen=True)
class Measure:
    """What a column was computed from. `metric` is "*" for rows."""

    metric: str
    function: str


@dataclass(frozen=True)
class Frame:
    """A table on the way. `step` made it, 0 for the one there was; `measures` by column."""

    df: ibis.Table
    step: int = 0
    is_aggregated: bool = False
    measures: Mapping[str, Measure] = field(default_factory=dict)


@dataclass(frozen=True)
class Fix:
    """A repair; one of `same_meaning` only writes otherwise what the plan said."""

    repair: Repair
    same_meaning: bool


@dataclass
class Draft:
    """A step before it runs. Repairs change `params` and `frame`, and write down why.

    `frames` are all tables so far, the latest last. `usual`: what the tool takes for a parameter that is left out.
    `renamed`: columns that an earlier repair named otherwise than the plan. `finest`: periods under which a column has
    nothing, by its name.
    """

    number: int
    entry: Tool
    params: dict[str, Any]
    frames: tuple[Frame, ...]
    tables: Mapping[str, ibis.Table]
    ask: Ask
    language: str = "en"
    usual: Mapping[str, Any] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    finest: dict[str, str] = field(default_factory=dict)
    fixes: list[Fix] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.frame = self.frames[-1]

    @property
    def df(self) -> ibis.Table:
        return self.frame.df

    def note(self, param: str, before: Any, after: Any, reason: str, *, same_meaning: bool = False) -> None:
        """Write a repair down."""
        repair = Repair(step=self.number, tool=self.entry.name, param=param, before=before, after=after, reason=reason)
        self.fixes.append(Fix(repair, same_meaning))

    def mend(self, param: str, after: Any, reason: str, *, same_meaning: bool = False) -> None:
        """Change a parameter, and write it down. None leaves it out."""
        self.note(param, self.params.get(param), after, reason, same_meaning=same_meaning)
        if after is None:
            self.params.pop(param, None)
        else:
            self.params[param] = after

    def measures(self) -> dict[str, Measure]:
        """The columns that this step computes with named functions; empty for a step of another kind."""
        for functions in params_of_kind(self.entry, self.params, ("functions",)):
            metrics = self.metrics()
            taken = functions_of(metrics, self.params[functions])
            names = result_names(metrics, taken, self.groups())
            pairs = zip(metrics, taken, strict=True)
            return {name: Measure(*pair) for name, pair in zip(names, pairs, strict=True)}
        return {}

    def metrics(self) -> list[str]:
        return next((self.params[param] for param in params_of_kind(self.entry, self.params, ("metrics",))), ["*"])

    def groups(self) -> list[str]:
        return next((self.params[param] for param in params_of_kind(self.entry, self.params, ("columns",))), [])

    def frame_after(self, df: ibis.Table) -> Frame:
        """The frame of this step's table."""
        made = self.measures()
        kept = {name: measure for name, measure in self.frame.measures.items() if name in df.columns}
        is_aggregated = self.frame.is_aggregated or not GROUPING.isdisjoint(self.entry.capabilities)
        return Frame(df, self.number, is_aggregated, made or kept)
