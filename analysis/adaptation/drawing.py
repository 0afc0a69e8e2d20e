"""Which chart a reading needs, and what is on its axes."""

from collections.abc import Iterator
from typing import Any, Final

from analysis.adaptation.asked import Asked, Need, name_of
from analysis.contracts.requirements import AnalysisLabel, ChartType
from analysis.coverage.serving import CHART_PREFIX

_PLOTS: Final[dict[AnalysisLabel, str]] = {
    "correlation": "correlation", "distribution": "distribution", "share": "share", "trend": "time_series",
    "compare": "compare", "rank": "rank",
}  # fmt: skip
SPREADS: Final[tuple[ChartType, ...]] = ("box", "histogram")
"""Charts that show how values are spread."""


def drawing(asked: Asked) -> Iterator[Need]:
    """The chart that is asked for; else the one that suits groups, time and what is studied."""
    is_asked = "chart" in asked.requirements.outputs or asked.details.chart is not None
    suits = next((plot for label, plot in _PLOTS.items() if asked.has(label)), "")
    if not is_asked and not _is_drawable(asked, suits):
        return
    if not suits or (asked.time and suits in ("compare", "rank")):
        suits = "time_series" if asked.time else "compare"
    keys = [f"constraints={CHART_PREFIX}{asked.details.chart}"] if asked.details.chart else []
    keys += ["outputs=chart"] if "chart" in asked.requirements.outputs else []
    keys += asked.labels("trend", "compare", "correlation", "distribution", "share", "rank")
    keys += asked.group_keys() if suits == "compare" else []
    keys += [*asked.columns(*asked.details.aggregates), *asked.time_keys()]
    capabilities = ("plot",) if asked.details.chart else ("plot", suits)
    numbers = (*asked.numbers, *(["share"] if asked.has("share") else []))
    yield Need(capabilities, axes_of(asked), tuple(keys), chart=asked.details.chart, numbers=numbers)


def _is_drawable(asked: Asked, suits: str) -> bool:
    """Whether what is computed is a number, in groups where there are any, and not a summary of several."""
    if asked.axes and not asked.is_in_groups:
        return False
    if suits == "distribution" and asked.bare:
        return is_spread_drawn(asked)
    return (bool(asked.axes) or suits == "correlation") and all(figure.is_number for figure in asked.details.aggregates)


def axes_of(asked: Asked) -> dict[str, Any]:
    """Values for the parameters of charts: a measure over time or groups, or two measures against each other."""
    names = [name_of(figure) for figure in sorted(asked.bare, key=lambda figure: figure.is_number)]
    is_spread = asked.has("distribution") and not asked.has("correlation") and asked.details.chart in (None, *SPREADS)
    if is_spread and names and not asked.figures:
        y = next(iter(asked.numbers), names[0])
        x = next((name for name in (*asked.axes, *asked.texts) if name != y), None)
        return {"y": y, "column": y} | ({"x": x} if x else {})
    if not asked.figures and not asked.details.part and len(names) + len(asked.details.listed) > 1:
        listed = [] if asked.has("correlation") and len(names) > 1 else asked.details.listed
        x, y = [*listed, *names][:2]
        return {"x": x, "y": y, "column": y} | ({"color": asked.groups[0]} if asked.groups else {})
    y = "share" if asked.has("share") else asked.results[0] if asked.results else "count"
    if asked.details.chart == "heatmap" and len(asked.axes) > 1:
        return {"x": asked.axes[0], "y": asked.axes[1], "color": y}
    x = next(iter([*asked.axes, *asked.texts]), y)
    color = {"color": asked.axes[1]} if len(asked.axes) > 1 else {}
    return {"x": x, "y": y, "column": y} | color


def is_spread_drawn(asked: Asked) -> bool:
    """Whether one chart shows how the bare values are spread: a number, over a text where there is one, or a text."""
    is_several = asked.groups or asked.figures or len(asked.numbers) > 1 or len(asked.texts) > 1
    if is_several or asked.has("compare"):
        return False
    if asked.details.chart:
        return asked.details.chart == "box" or (asked.details.chart == "histogram" and len(asked.bare) == 1)
    return not asked.has("correlation")
