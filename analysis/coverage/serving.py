"""Which capabilities serve which requirement. The one place that says so.

A step *fulfils* a requirement, or it *supports* one: a join or a filter before an aggregate is justified by what the
aggregate answers, and answers nothing itself.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from analysis.contracts.plans import Step, Tool
from analysis.contracts.requirements import UNKNOWN

_SHOWS: Final = {"aggregate", "summarize", "summary", "select", "derive", "plot", "table", "share"}
_STUDIES: Final = {"anomaly", "correlation", "distribution", "forecast", "trend"}
FULFILS: Final[Mapping[str, frozenset[str]]] = {
    "metrics": frozenset(_SHOWS | _STUDIES),
    "group_by": frozenset({"group_by", "segment"}),
    "time": frozenset({"time_series", "time_features", "trend", "forecast"}),
    "analysis=total": frozenset({"aggregate", "summarize", "summary"}),
    "analysis=compare": frozenset({"compare", "group_by", "segment", "summarize", "pivot"}),
    "analysis=trend": frozenset({"time_series", "time_features", "trend"}),
    "analysis=distribution": frozenset({"distribution", "group_by"}),
    "analysis=anomaly": frozenset({"anomaly"}),
    "analysis=correlation": frozenset({"correlation"}),
    "analysis=share": frozenset({"share"}),
    "analysis=rank": frozenset({"rank"}),
    "analysis=list": frozenset({"list", "select"}),
    "analysis=forecast": frozenset({"forecast"}),
    "outputs=chart": frozenset({"plot"}),
    "outputs=table": frozenset({"table"}),
}
"""By field, or by field and value, the capabilities of which one is enough."""
SUPPORTS: Final[Mapping[str, frozenset[str]]] = {
    "metrics": frozenset({"aggregate", "derive", "join"}),
    "group_by": frozenset({"compare", "derive", "join", "parse_datetime", "segment"}),
    "time": frozenset({"aggregate", "join", "parse_datetime", "sort"}),
    "analysis": frozenset({"aggregate", "parse_datetime", "segment"}),
    "outputs=chart": frozenset({"segment"}),
    "constraints": frozenset({"aggregate", "derive", "join"}),
}
AGGREGATES: Final = frozenset({"aggregate", "group_by", "segment"})
"""One of these stands before every plot of groups or of time."""
OF_EACH_GROUP: Final = frozenset({"forecast", "trend"})
"""What gives a series or a figure of all rows together, unless it names the groups that it keeps apart."""
_COLUMN_FIELDS: Final = frozenset({"metrics", "group_by", "time"})
CHART_PREFIX: Final = "chart = "
LIMIT_PREFIX: Final = "limit = "
ORDER_PREFIX: Final = "order = "


def key_parts(key: str) -> tuple[str, str]:
    """Field and value of a requirement as a step cites it; the value is empty where there is none."""
    field, _, value = key.partition("=")
    return field, value


def fulfils(tool: Tool, step: Step, key: str) -> bool:
    """Whether the step gives what the requirement asks for."""
    field, value = key_parts(key)
    if field == "constraints":
        return _fulfils_constraint(tool, step, value)
    capabilities = FULFILS.get(key) or FULFILS.get(field, frozenset())
    if capabilities.isdisjoint(tool.capabilities):
        return False
    is_any = field == "time" and value == UNKNOWN
    return field not in _COLUMN_FIELDS or is_any or value in _columns_for(field, tool, step)


def supports(tool: Tool, step: Step, key: str) -> bool:
    """Whether the requirement justifies the step: it fulfils it, or prepares what does."""
    if fulfils(tool, step, key):
        return True
    field, value = key_parts(key)
    capabilities = SUPPORTS.get(key) or SUPPORTS.get(field, frozenset())
    if capabilities.isdisjoint(tool.capabilities):
        return False
    return field != "group_by" or "join" in tool.capabilities or value in mentioned(step.params)


def _fulfils_constraint(tool: Tool, step: Step, text: str) -> bool:
    if text.startswith(CHART_PREFIX):
        return tool.chart == text.removeprefix(CHART_PREFIX)
    if text.startswith(LIMIT_PREFIX):
        return "limit" in tool.capabilities and str(step.params.get("limit")) == text.removeprefix(LIMIT_PREFIX)
    if text.startswith(ORDER_PREFIX):
        order = f"{step.params.get('by')} {step.params.get('direction')}"
        return "sort" in tool.capabilities and order == text.removeprefix(ORDER_PREFIX)
    conditions = step.params.get("where") or ()
    return "filter" in tool.capabilities and text in [condition_text(condition) for condition in conditions]


def condition_text(condition: Any) -> str:
    """A condition of a filter as `constraints` has it, such as "city = Madrid" or "age between 5 and 10".

    A column whose condition would read as another kind of constraint ("limit = 5") is in quotes.
    """
    if not isinstance(condition, Mapping):
        return ""
    op, value, grain = str(condition.get("op", "")), condition.get("value"), condition.get("grain")
    if isinstance(value, list | tuple):
        value = (" and " if op == "between" else ", ").join(map(str, value))
    elif isinstance(value, Mapping):
        value = value.get("column")
    words = (condition.get("column"), grain, op, None if op in ("null", "not_null") else value)
    text = " ".join(str(word) for word in words if word is not None)
    if text.startswith((CHART_PREFIX, LIMIT_PREFIX, ORDER_PREFIX)):
        column = str(condition.get("column"))
        return f'"{column}"{text.removeprefix(column)}'
    return text


def _columns_for(field: str, tool: Tool, step: Step) -> frozenset[str]:
    """The texts of the parameters that can hold a column of this field."""
    return mentioned({name: value for name, value in step.params.items() if field in _fields_of(tool, name)})


def _fields_of(tool: Tool, param: str) -> frozenset[str]:
    """Which fields the columns in a parameter can be of, by its type in the catalog, else by its name."""
    kind = param_kind(tool, param)
    if kind in ("filters", "functions") or isinstance(tool.types.get(param), list):
        return frozenset()
    if kind.startswith(("metric", "number")) or param in ("metric", "metrics"):
        return frozenset({"metrics"})
    is_grouping = kind == "columns" or param == "group_by"
    if kind.startswith("time") or (is_grouping and "aggregate" in tool.capabilities):
        return frozenset({"group_by", "time"})  # a column that is grouped by is not what is computed
    return _COLUMN_FIELDS


def param_kind(tool: Tool, param: str) -> str:
    """What a parameter takes, as the catalog has it: "number column"; empty for a list of choices or without a type."""
    kind = tool.types.get(param, "")
    return kind.removesuffix("?") if isinstance(kind, str) else ""


def mentioned(params: Mapping[str, Any]) -> frozenset[str]:
    """Every text in the parameters of a step, however deep."""
    return frozenset(_texts(params))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inner in value.values():
            yield from _texts(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _texts(inner)
