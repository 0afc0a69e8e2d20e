"""What a plan has to do for the requirements, in terms of capabilities: no tool is named here."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from analysis.adaptation.asked import SHARE, Asked, Need, is_of_totals, name_of
from analysis.adaptation.drawing import SPREADS, drawing, is_of_all, is_spread_drawn
from analysis.contracts.requirements import UNKNOWN, Aggregate, Filter, Reading
from analysis.coverage.serving import LIMIT_PREFIX, ORDER_PREFIX


def needs_of(reading: Reading) -> list[Need]:
    """In the order in which they are done."""
    return [need for need in _each_need(Asked(reading)) if need.keys]


def _each_need(asked: Asked) -> Iterator[Need]:
    part = asked.details.part
    yield from _joining(asked)
    yield from _filtering(asked, [condition for condition in asked.details.filters if condition not in part])
    yield from _deriving(asked, [figure for figure in asked.details.aggregates if not is_of_totals(figure)])
    if asked.time:
        params = {"column": asked.time.column} | ({"grain": asked.time.grain} if asked.time.grain != UNKNOWN else {})
        yield Need(("time_features",), params, (*asked.time_keys(), *asked.labels("trend")))
    if part:
        yield _share_of_part(asked)
    elif asked.figures:
        yield _aggregating(asked)
        ratios = [figure for figure in asked.figures if is_of_totals(figure)]
        yield from _deriving(asked, ratios)
    yield from _filtering(asked, asked.details.having)
    if not part:
        yield from _share_of_groups(asked)
    yield from _results(asked)


def _results(asked: Asked) -> Iterator[Need]:
    """What is made of the rows or figures: their order, a study, charts and tables."""
    is_studied = asked.has("distribution") or _is_compared_bare(asked)
    of_rows = asked.has("correlation") or (not asked.figures and is_studied)
    if of_rows:  # the rows that are studied; there are others afterwards
        yield from _ordering(asked)
    yield from _bounding(asked)
    charts, selected = list(drawing(asked)), list(_selecting(asked))
    is_of_rows = of_rows and asked.details.chart not in (None, *SPREADS)
    is_drawn_first = is_of_all(asked) or is_of_rows or asked.has("correlation")
    yield from charts if is_drawn_first else ()
    yield from _studying(asked)
    if not of_rows:
        yield from _ordering(asked)
    charts = [] if is_drawn_first else charts
    yield from (*charts, *selected) if _are_dropped(charts, selected) else (*selected, *charts)
    yield from _tabling(asked, is_listed=bool(selected))


def _joining(asked: Asked) -> Iterator[Need]:
    details = asked.details
    for join in details.joins:
        columns = set(join.columns)
        keys = [f"{field}={name}" for field in ("metrics", "group_by", "time") for name in join.columns]
        conditions = [each for each in details.filters if not columns.isdisjoint(columns_of_condition(each))]
        if details.order and details.order.by in columns:
            keys += [key for key in asked.keys if key.startswith(f"constraints={ORDER_PREFIX}")]
        cited = [*(key for key in keys if key in asked.keys), *asked.constraints(conditions), *asked.labels("list")]
        params = {"table": join.table, "key": join.key, "other_key": join.other_key}
        yield Need(("join",), params, tuple(cited) or tuple(asked.columns(*details.aggregates)))


def _filtering(asked: Asked, conditions: Sequence[Filter]) -> Iterator[Need]:
    if conditions:
        where = [condition_params(condition) for condition in conditions]
        yield Need(("filter",), {"where": where}, tuple(asked.constraints(conditions)))


def columns_of_condition(condition: Filter) -> tuple[str, ...]:
    """The column that is held against a value, and the other one where the value is a column."""
    other = condition.value.get("column") if isinstance(condition.value, Mapping) else None
    return (condition.column, other) if isinstance(other, str) else (condition.column,)


def condition_params(condition: Filter) -> dict[str, Any]:
    """A condition as a parameter of a step."""
    return condition.model_dump(exclude={"phrase"}, exclude_none=True)


def _deriving(asked: Asked, figures: Sequence[Aggregate]) -> Iterator[Need]:
    for figure in figures:
        if made := figure.expression:
            left, right = made.left, made.right
            if is_of_totals(figure):
                left, right = (asked.computed[name, figure.func] for name in (left, right))
            params = {"name": name_of(figure), "operator": made.operator, "left": left, "right": right}
            yield Need(("derive",), params, tuple(asked.columns(figure)))


def _aggregating(asked: Asked) -> Need:
    metrics = [metric for metric, _function in asked.computed]
    functions = [function for _metric, function in asked.computed]
    same = functions[0] if len(set(functions)) == 1 else functions
    params = {"group_by": asked.axes, "agg_func": same, "metrics": metrics}
    labels = asked.labels("total", "compare") if asked.axes or asked.has("compare") else asked.labels("total")
    if not asked.bare:
        labels += asked.labels("distribution")
    keys = [
        *asked.columns(*asked.figures),
        *asked.group_keys(),
        *asked.time_keys(),
        *labels,
        *asked.labels("trend", "share", "rank", "anomaly", "forecast"),
    ]
    return Need(("aggregate", "summarize"), params, tuple(keys) or _any_constraint(asked))


def _any_constraint(asked: Asked) -> tuple[str, ...]:
    """Counting rows without groups serves the conditions on them."""
    return tuple(key for key in asked.keys if key.startswith("constraints="))


def _share_of_part(asked: Asked) -> Need:
    where = [condition_params(condition) for condition in asked.details.part]
    params: dict[str, Any] = {"where": where, "group_by": asked.axes}
    if asked.figures and asked.figures[0].column:
        params["metric"] = asked.figures[0].column
    keys = [
        *asked.labels("share", "total", "compare", "distribution"),
        *asked.constraints(asked.details.part),
        *asked.group_keys(),
        *asked.time_keys(),
        *asked.columns(*asked.figures),
    ]
    return Need(("share", "filter"), params, tuple(keys))


def _share_of_groups(asked: Asked) -> Iterator[Need]:
    """The part of the total that each group has, or each row where the values are bare."""
    if asked.has("share") and (asked.figures or asked.numbers):
        metric = asked.numbers[0] if asked.numbers else asked.results[0]
        yield Need(("share",), {"metric": metric}, tuple(asked.labels("share")))


def _studying(asked: Asked) -> Iterator[Need]:
    """What only a method of statistics answers."""
    if asked.has("correlation") and asked.details.chart != "scatter":
        yield from _correlating(asked)
    if asked.has("distribution") and asked.bare:
        yield from _distributing(asked)
    if _is_compared_bare(asked):
        keys = (*asked.labels("compare"), *asked.columns(*asked.bare))
        yield Need(("summary",), {"metrics": asked.numbers, "group_by": asked.texts}, keys)
    if asked.has("anomaly") and asked.numbers:
        keys = (*asked.labels("anomaly"), *asked.columns(*asked.bare))
        yield Need(("anomaly",), {"metric": asked.numbers[0]}, keys)
    if asked.has("forecast") and asked.time and asked.numbers and not asked.has("anomaly"):  # not of what is left
        params = {"time": asked.time.column, "metric": asked.numbers[0], "group_by": asked.groups}
        yield Need(("forecast",), params, (*asked.labels("forecast"), *asked.time_keys()))


def _bounding(asked: Asked) -> Iterator[Need]:
    """Rows whose groups are bounded in number, where rows are shown or drawn and nothing sums up the groups."""
    if asked.figures or not asked.bare or (asked.has("distribution") and not _is_spread_of_groups(asked)):
        return
    keys = asked.labels("distribution", "compare") if asked.has("distribution") else asked.labels("compare")
    columns = asked.columns(*asked.bare) if asked.has("distribution") else []
    for name in asked.groups:
        yield Need(("segment",), {"column": name}, (f"group_by={name}", *keys, *columns))


def _is_spread_of_groups(asked: Asked) -> bool:
    """Whether a chart shows how one column is spread in each group."""
    return bool(asked.groups) and len(asked.bare) == 1 and asked.details.chart in SPREADS


def _correlating(asked: Asked) -> Iterator[Need]:
    """Of two columns, or of two figures of the same groups or periods."""
    if len(asked.numbers) > 1:
        x, y = asked.numbers[:2]
        yield Need(("correlation",), {"x": x, "y": y}, (*asked.labels("correlation"), *asked.columns(*asked.bare)))


def _distributing(asked: Asked) -> Iterator[Need]:
    """A summary of the numbers, unless a chart shows how the values are spread."""
    if is_spread_drawn(asked) or _is_spread_of_groups(asked) or not asked.numbers:
        return
    keys = (*asked.labels("distribution", "compare"), *asked.columns(*asked.bare), *asked.group_keys())
    groups = list(dict.fromkeys([*asked.groups, *asked.texts]))
    yield Need(("summary",), {"metrics": asked.numbers, "group_by": groups}, keys)


def _is_compared_bare(asked: Asked) -> bool:
    """Whether bare columns are compared with each other, and no chart does it."""
    is_bare = bool(asked.numbers) and not asked.figures and not asked.groups
    is_drawn = "chart" in asked.requirements.outputs or asked.details.chart is not None
    return asked.has("compare") and is_bare and not is_drawn and not asked.has("distribution")


def _ordering(asked: Asked) -> Iterator[Need]:
    order, limit = asked.details.order, asked.details.limit
    if order is None and limit is None:
        return
    keys = [key for key in asked.keys if key.startswith((f"constraints={ORDER_PREFIX}", f"constraints={LIMIT_PREFIX}"))]
    params: dict[str, Any] = {"limit": limit} if limit is not None else {}
    shared = [SHARE] if asked.has("share") else []
    columns = [order.by] if order else [*shared, *asked.results, *asked.axes, *asked.details.listed]
    params |= {"by": next(iter(columns), None), "direction": order.direction if order else "desc"}
    yield Need(("rank", "sort"), params, (*keys, *asked.labels("rank")))


def _selecting(asked: Asked) -> Iterator[Need]:
    """Rows as they are; beside a number with anomalies, the other columns that the question names."""
    is_beside = asked.has("anomaly") and len(asked.numbers) == 1 and len(asked.bare) > 1
    studied = asked.has("correlation") or asked.has("distribution") or _is_compared_bare(asked)
    if asked.figures or asked.details.part or studied or (asked.has("anomaly") and not is_beside):
        return
    shared = [SHARE] if asked.has("share") and asked.numbers else []
    columns = list(dict.fromkeys([*asked.details.listed, *(name_of(figure) for figure in asked.bare), *shared]))
    keys = [*asked.labels("list"), *asked.columns(*asked.bare)]
    if columns:
        yield Need(("select",), {"columns": columns}, tuple(keys))


def _are_dropped(charts: Sequence[Need], selected: Sequence[Need]) -> bool:
    """Whether a column that is drawn is not among those that are shown."""
    shown = {name for need in selected for name in need.params["columns"]}
    return any(name not in shown for need in charts for name in need.params.values())


def _tabling(asked: Asked, *, is_listed: bool) -> Iterator[Need]:
    """The table that is asked for, or the list of whatever there is."""
    listed = [] if is_listed else asked.labels("list")
    tables = ["outputs=table"] if "table" in asked.requirements.outputs else []
    yield Need(("table", "list") if listed else ("table",), {}, (*listed, *tables))
