"""The chart that a reading asks for or that suits it, as a reader would name it."""

from typing import Final, Literal

from analysis.contracts.requirements import UNKNOWN, Aggregate, ChartShape, ChartType, Function, Reading

AGGREGATES: Final[dict[Function, Literal["count", "sum", "avg", "min", "max", "median", "std", "count_distinct"]]] = {
    "count": "count", "sum": "sum", "mean": "avg", "min": "min", "max": "max", "median": "median", "std": "std",
    "count_distinct": "count_distinct",
}  # fmt: skip


def chart_of(reading: Reading) -> ChartShape:
    """Type, axes, aggregate and colour. `x` is time, the first group, or the first of bare columns."""
    requirements, details = reading.requirements, reading.details
    figures = [figure for figure in details.aggregates if figure.func != "none"]
    bare = [figure for figure in details.aggregates if figure.func == "none"]
    axes = [requirements.time.column] if requirements.time.column != UNKNOWN else []
    axes += [name for name in requirements.group_by if name not in axes]
    kind = details.chart or _kind(reading, bool(axes))
    if figures:
        y, x = figures[0], axes[0] if axes else None
        return ChartShape(
            type=kind, x=x, y=y.column or "*", aggregate=AGGREGATES[y.func], color=axes[1] if len(axes) > 1 else None
        )
    return _bare_chart(kind, bare, [*details.listed], list(requirements.group_by))


def _bare_chart(kind: ChartType, bare: list[Aggregate], listed: list[str], groups: list[str]) -> ChartShape:
    """A text before a number; of two numbers the first one that is named is x."""
    names = [figure.name for figure in sorted(bare, key=lambda figure: figure.is_number)] or listed
    if len(names) < 2 and groups:
        return ChartShape(type=kind, x=groups[0], y=names[0] if names else None)
    x, y = (names[0], names[1]) if len(names) > 1 else (names[0] if names else None, None)
    return ChartShape(type=kind, x=x, y=y, color=groups[0] if groups else None)


def _kind(reading: Reading, has_axes: bool) -> ChartType:
    labels = reading.requirements.analysis
    if "correlation" in labels:
        return "scatter"
    if "trend" in labels or reading.requirements.time.column != UNKNOWN:
        return "line"
    if "share" in labels:
        return "pie"
    return "bar" if has_axes or "distribution" not in labels else "histogram"
