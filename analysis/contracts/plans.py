"""Tools, templates, plans and how they are changed. Source: spec 5, sections 2 to 5."""

from typing import Any, Literal

from pydantic import Field, field_validator

from analysis.contracts.requirements import ChartType
from core.contracts import Contract

ParamKind = Literal[
    "column", "columns", "metric", "metrics", "functions", "filters", "integer", "number", "text", "choice", "any"
]


class Tool(Contract):
    """An entry of the catalog, with the documented keys and more.

    `types` says what a parameter takes: `column`, `columns`, `metrics`, `functions`, `filters`, `integer`, `number`,
    `text`, or the list of the values that are allowed; `number` or `time` before a column narrows it; a `?` at the end,
    or in the list, makes it optional, as is a parameter without a type. `chart` is the kind that a plot draws.
    `function` is "package.module:name"; left out, the function of the tool's name in `analysis.execution.tools`.
    """

    name: str = Field(min_length=1, max_length=100)
    capabilities: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ("df",)
    params: tuple[str, ...] = ()
    outputs: tuple[str, ...] = ("df",)
    description: str = ""
    examples: tuple[str, ...] = ()
    types: dict[str, Any] = Field(default_factory=dict)
    other_names: tuple[str, ...] = ()
    chart: ChartType | None = None
    function: str = ""


class Step(Contract):
    """A use of a tool. `requirement` holds what it serves, such as "group_by=region"."""

    tool: str
    params: dict[str, Any] = Field(default_factory=dict)
    rationale: str = ""
    requirement: tuple[str, ...] = ()

    @field_validator("requirement", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value


class Modification(Contract):
    """A change of a plan, as rules and models propose it.

    `step` is the place, from 1, that is removed or modified, or before which a step is added; None: for `add` where its
    capabilities belong, else the only step of that tool.
    """

    action: Literal["add", "remove", "modify"]
    tool: str
    params: dict[str, Any] | None = None
    rationale: str = ""
    requirement: tuple[str, ...] = ()
    step: int | None = None

    @field_validator("requirement", mode="before")
    @classmethod
    def _one_or_several(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str) else value


class AnalysisPlan(Contract):
    """Steps in order; `template` is the one it was made from."""

    template: str
    steps: tuple[Step, ...]


class Template(Contract):
    """A kind of analysis: when it is meant, its tools, and its steps before adaptation.

    `when`: a score for what requirements have ("analysis=trend", "time", "group_by"), `never` for what excludes it.
    """

    name: str
    description: str = ""
    when: dict[str, float] = Field(default_factory=dict)
    never: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()


class Coverage(Contract):
    """The outcome of the check. `rate` is the share of requirements that a step serves, 1 where there are none.

    `missing` names by field what no step serves; `message` is what an adaptation that is retried is told.
    """

    valid: bool
    rate: float = Field(ge=0, le=1)
    missing: dict[str, tuple[str, ...]] = Field(default_factory=dict)
    unjustified: tuple[str, ...] = ()
    message: str = ""


class Repair(Contract):
    """A parameter that was changed before its step could run. `step` counts from 1."""

    step: int
    tool: str
    param: str
    before: Any
    after: Any
    reason: str
