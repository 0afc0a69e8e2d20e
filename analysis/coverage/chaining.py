"""Do the columns that a step names still exist when its turn comes? Known from the steps alone, without the data."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from analysis.contracts.naming import ROWS, result_names
from analysis.contracts.plans import Step, Tool
from analysis.contracts.requirements import Requirements
from analysis.coverage.serving import mentioned, param_kind

_REPLACES: Final = frozenset({"aggregate", "correlation", "distribution", "forecast", "pivot", "select", "summary"})
"""What gives a table of other columns than it got."""
_ADDS: Final[Mapping[str, frozenset[str]]] = {"share": frozenset({"share", "percent"})}
_OF_ROWS: Final = frozenset({"anomaly", "correlation", "distribution", "group_by", "summary"})
_OF_RESULTS: Final = frozenset({"forecast", "plot", "trend"})
"""What may use an earlier table where the latest lacks its columns: the first any, the second no rows once there are
figures."""
_AGGREGATES: Final = frozenset({"aggregate", "group_by"})


@dataclass(frozen=True)
class _Table:
    """A table on the way: the columns that it is known not to have any more, and whether it has figures of groups."""

    lost: frozenset[str] = frozenset()
    is_aggregated: bool = False


def columns_missing(requirements: Requirements, steps: Sequence[Step], tools: Mapping[str, Tool]) -> tuple[str, ...]:
    """Each column that a step names and that an earlier step dropped, as "tool.column"."""
    return tuple(dict.fromkeys(_each_missing(requirements, steps, tools)))


def _each_missing(requirements: Requirements, steps: Sequence[Step], tools: Mapping[str, Tool]) -> Iterator[str]:
    tables = [_Table()]
    known = {*requirements.metrics, *requirements.group_by, requirements.time.column}
    for step in steps:
        if (tool := tools.get(step.tool)) is None:
            continue
        used = _columns_used(tool, step.params)
        fitting = [table for table in tables_usable(tool, tables) if used.isdisjoint(table.lost)]
        if not fitting:
            yield from (f"{tool.name}.{name}" for name in sorted(used & tables[-1].lost))
        known |= used | _figures(tool, step.params) | _added(tool)
        if "df" in tool.outputs:
            tables.append(_after(tool, step, (fitting or tables[-1:])[0], known))


class OfFigures(Protocol):
    """A table that knows whether it has figures of groups."""

    @property
    def is_aggregated(self) -> bool: ...


Of = TypeVar("Of", bound=OfFigures)


def tables_usable(tool: Tool, tables: Sequence[Of]) -> list[Of]:
    """The latest table, then the earlier ones that a tool may go back to where it lacks columns, the latest first."""
    latest, *earlier = tables[::-1]
    if not _OF_ROWS.isdisjoint(tool.capabilities):
        return [latest, *earlier]
    if _OF_RESULTS.isdisjoint(tool.capabilities):
        return [latest]
    return [latest, *(table for table in earlier if table.is_aggregated or not latest.is_aggregated)]


def _after(tool: Tool, step: Step, table: _Table, known: set[str]) -> _Table:
    """The table that a step gives."""
    is_aggregated = table.is_aggregated or not _AGGREGATES.isdisjoint(tool.capabilities)
    if "join" in tool.capabilities:  # its columns are not known
        return _Table(is_aggregated=is_aggregated)
    if _replaces(tool, step):
        return _Table((table.lost | known) - _kept(tool, step.params), is_aggregated)
    return _Table(table.lost - mentioned(step.params) - _added(tool), is_aggregated)


def _added(tool: Tool) -> frozenset[str]:
    return frozenset().union(*(_ADDS.get(capability, frozenset()) for capability in tool.capabilities))


def _kept(tool: Tool, params: Mapping[str, Any]) -> frozenset[str]:
    """The columns of a table that replaces another, as far as the parameters say."""
    if "correlation" in tool.capabilities:
        return frozenset()
    if "summary" in tool.capabilities:
        return mentioned({name: value for name, value in params.items() if param_kind(tool, name) == "columns"})
    return (_figures(tool, params) or mentioned(params)) | _added(tool)


def _replaces(tool: Tool, step: Step) -> bool:
    """A share of no groups and no condition only adds columns."""
    if "share" in tool.capabilities:
        return bool(step.params.get("where") or step.params.get("group_by"))
    return not _REPLACES.isdisjoint(tool.capabilities)


def _figures(tool: Tool, params: Mapping[str, Any]) -> frozenset[str]:
    """The columns that an aggregate gives: its groups, and its figures by their names; empty for another tool."""
    by_kind = {param_kind(tool, name): value for name, value in params.items()}
    functions, metrics = by_kind.get("functions"), by_kind.get("metrics", [ROWS])
    groups = by_kind.get("columns", [])
    if not functions or not all(isinstance(value, list | tuple) for value in (metrics, groups)):
        return frozenset()
    try:
        return frozenset((*groups, *result_names(metrics, functions, groups)))
    except (TypeError, ValueError):  # not as many functions as metrics: the tool itself refuses them
        return frozenset()


def _columns_used(tool: Tool, params: Mapping[str, Any]) -> frozenset[str]:
    """The columns that typed parameters name."""
    return frozenset(name for param in params for name in _columns_in(param_kind(tool, param), params[param]))


def _columns_in(kind: str, value: Any) -> Iterator[str]:
    if kind == "filters":
        for condition in value if isinstance(value, list | tuple) else ():
            if isinstance(condition, Mapping):
                yield from mentioned({"column": condition.get("column")})
                yield from mentioned({"value": condition["value"]} if _is_column(condition.get("value")) else {})
    elif kind.split(" ")[-1] in ("column", "columns", "metric", "metrics"):
        yield from mentioned({"value": value}) - {ROWS}


def _is_column(value: Any) -> bool:
    return isinstance(value, Mapping) and "column" in value
