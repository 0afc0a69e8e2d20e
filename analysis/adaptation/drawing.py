"""Which chart a reading needs, and what is on its axes."""

from collections.abc import Iterator
from typing import Any, Final

from analysis.adaptation.asked import SHARE, Asked, Need, name_of
from analysis.contracts.requirements import AnalysisLabel, ChartType
from analysis.coverage.serving import CHART_PREFIX

_PLOTS: Final[dict[AnalysisLabel, str]] = {
    "correlation": "correlation", "distribution": "distribution", "share": "share", "trend": "time_series",
    "compare": "compare", "rank": "rank",
}  # fmt: skip
SPREADS: Final[tuple[ChartType, ...]] = ("box", "histogram")
"""Charts that show how values are spread."""
_MOST_AXES: Final = 2
"""A chart has room for an axis and a colour: of a third group several values would lie on one point."""


def drawing(asked: Asked) -> Iterator[Need]:
    """The chart that is asked for; else the one that suits groups, time and what is studied."""
    is_asked = "chart" in asked.requirements.outputs or asked.details.chart is not None
    suits = _suiting(asked)
    if len(asked.axes) > _MOST_AXES or not (is_asked or _is_drawable(asked, suits)):
        return
    keys = [f"constraints={CHART_PREFIX}{asked.details.chart}"] if asked.details.chart else []
    keys += ["outputs=chart"] if "chart" in asked.requirements.outputs else []
    keys += asked.labels("trend", "compare", "correlation", "distribution", "share", "rank")
    keys += asked.group_keys() if suits == "compare" else []
    keys += [*asked.columns(*asked.details.aggregates), *asked.time_keys()]
    capabilities = ("plot",) if asked.details.chart else ("plot", suits)
    params, numbers = axes_of(asked), (*asked.numbers, *([SHARE] if asked.has("share") else []))
    params = {name: value for name, value in params.items() if asked.details.chart != "histogram" or name == "column"}
    is_whole = "color" in params and len(asked.axes) > 1 and asked.is_in_groups and asked.details.chart not in SPREADS
    yield Need(
        capabilities, params, tuple(keys), chart=asked.details.chart, numbers=numbers,
        whole=("color",) if is_whole else (),
    )  # fmt: skip


def _suiting(asked: Asked) -> str:
    """What a plot has to be able to do, where no kind of chart is asked for."""
    suits = next((plot for label, plot in _PLOTS.items() if asked.has(label)), "")
    of_axes = "time_series" if asked.time else "compare"
    if _lone(asked):
        return "distribution"
    if not suits:
        return of_axes
    is_of_axes = {
        "compare": bool(asked.time), "rank": bool(asked.time), "share": len(asked.axes) > 1,
        "distribution": bool(asked.figures),
    }  # fmt: skip
    return of_axes if is_of_axes.get(suits) else suits


def _is_drawable(asked: Asked, suits: str) -> bool:
    """Whether what is computed is a number, in groups where there are any, and not a summary of several."""
    if asked.axes and not asked.is_in_groups:
        return False
    if suits == "distribution" and asked.bare:
        return asked.has("distribution") and is_spread_drawn(asked)
    return (bool(asked.axes) or suits == "correlation") and all(figure.is_number for figure in asked.details.aggregates)


def axes_of(asked: Asked) -> dict[str, Any]:
    """Values for the parameters of charts: a measure over time or groups, or two measures against each other."""
    names = [name_of(figure) for figure in sorted(asked.bare, key=lambda figure: figure.is_number)]
    if (lone := _lone(asked)) and asked.details.chart in (None, "histogram"):
        is_box = asked.has("anomaly") and asked.details.chart is None  # a box shows what is far from the others
        return {"y": lone} if is_box else {"column": lone}
    is_spread = asked.has("distribution") and not asked.has("correlation") and asked.details.chart in (None, *SPREADS)
    if is_spread and names and not asked.figures:
        y = next(iter(asked.numbers), names[0])
        x = next((name for name in (*asked.axes, *asked.texts) if name != y), None)
        return {"y": y, "column": y} | ({"x": x} if x else {})
    if not asked.figures and not asked.details.part and len({*names, *asked.details.listed}) > 1:
        return _axes_of_rows(asked, names)
    if asked.has("correlation") and len(asked.numbers) > 1:
        return dict(zip(("x", "y"), asked.numbers, strict=False))
    figure = SHARE if asked.has("share") else next(iter([*asked.numbers, *asked.results]), None)
    if asked.details.chart == "heatmap" and len(asked.axes) > 1:
        return {"x": asked.axes[0], "y": asked.axes[1], "color": figure}
    x = next(iter([*asked.axes, *asked.texts]), figure if asked.figures else None)
    color = {"color": asked.axes[1]} if len(asked.axes) > 1 else {}
    return {"x": x, "y": figure, "column": figure} | color


def _axes_of_rows(asked: Asked, names: list[str]) -> dict[str, Any]:
    """Of rows as they are: the first column that is shown, and the first number beside it."""
    listed = [] if asked.has("correlation") and len(names) > 1 else asked.details.listed
    x, *others = dict.fromkeys([*listed, *names])
    y = next((name for name in others if name in asked.numbers), None)
    if y is None and x in asked.numbers:
        x, y = others[0], x
    texts = [*asked.groups, *(name for name in asked.texts if name != x)]
    if asked.details.chart == "heatmap":
        return {"x": x, "y": next(iter(texts), None), "color": y}
    return {"x": x, "y": y, "column": y or x} | ({"color": texts[0]} if texts else {})


def is_of_all(asked: Asked) -> bool:
    """Whether what is unusual is drawn among all values: alone, it does not look unusual."""
    return asked.has("anomaly") and bool((asked.figures and asked.axes) or _lone(asked))


def _lone(asked: Asked) -> str:
    """The only column that is asked for, row by row and with nothing to hold it against; empty where there is more."""
    shown = list(dict.fromkeys([*asked.details.listed, *(name_of(figure) for figure in asked.bare)]))
    is_studied = any(asked.has(label) for label in _PLOTS if label != "rank")
    is_more = asked.figures or asked.axes or asked.details.part or is_studied
    return shown[0] if len(shown) == 1 and not is_more else ""


def is_spread_drawn(asked: Asked) -> bool:
    """Whether one chart shows how the bare values are spread: a number, over a text where there is one, or a text."""
    is_several = asked.groups or asked.figures or len(asked.numbers) > 1 or len(asked.texts) > 1
    if is_several or asked.has("compare"):
        return False
    if asked.details.chart:
        return asked.details.chart == "box" or (asked.details.chart == "histogram" and len(asked.bare) == 1)
    return not asked.has("correlation")
