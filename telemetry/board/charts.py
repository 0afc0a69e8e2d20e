"""Charts as plotly has them. Colours are left to the page: a trace says what its colour means, in `meta`."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from django.utils.text import Truncator
from plotly import graph_objects

from telemetry.panels import Bars, Chart, Durations, Line, Lines, Mark, Unit, duration

_NAME_LENGTH = 26
_ROW_HEIGHT, _FRAME_HEIGHT, _USUAL_HEIGHT = 26, 70, 280  # pixels
_BESIDE = 0.6  # of a row's height, for each of several bars side by side
_FEW = 5
_SECONDS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 18_000, 36_000, 86_400)
_ROUNDEST = (1, 10, 60, 600, 3600, 36_000)
_MARKS_AT_MOST = 7
_DASHES = ("solid", "dash", "dot")  # so that lines, and marks, differ by more than their colours
_SYMBOLS = ("circle", "square", "diamond")
_SCORES, _HUNDREDTHS = (0, 1.03), (0, 103)  # a point at the top is seen whole
_AXES: dict[Unit, dict[str, Any]] = {
    "dollars": {"tickprefix": "US$ ", "tickformat": ",.4~f", "nticks": 5, "tickangle": 0},
    "ms": {"ticksuffix": " ms", "tickformat": ",d", "nticks": 4, "tickangle": 0},
    "percent": {"ticksuffix": " %", "tickformat": ",.3~g", "nticks": 4, "tickangle": 0},
    "score": {"tickformat": ".1f", "dtick": 0.2, "tickangle": 0},
}


def chart_json(chart: Chart) -> dict[str, Any]:
    """The figure as JSON values for `Plotly.newPlot`, without colours and fonts."""
    figure: dict[str, Any] = _figure(chart).to_plotly_json()
    figure["layout"].pop("template", None)  # plotly's own look, 7 KB of it
    return figure


def _figure(chart: Chart) -> Any:
    match chart:
        case Bars():
            return _bars(chart)
        case Lines():
            return _lines(chart)
        case Durations():
            return _durations(chart)


def _bars(chart: Bars) -> Any:
    names = [day.isoformat() if isinstance(day, date) else day for day in chart.categories]
    traces = []
    for series in chart.series:
        x, y = (series.values, names) if chart.sideways else (names, series.values)
        orientation = "h" if chart.sideways else "v"
        meta = {"tone": series.tone}
        traces.append(graph_objects.Bar(x=x, y=y, name=str(series.name), orientation=orientation, meta=meta))
    beside = 1 if chart.stacked else max(1, _BESIDE * len(traces))
    layout = _layout(round(len(names) * beside) if chart.sideways else None)
    layout |= {"barmode": "stack" if chart.stacked else "group", "showlegend": len(traces) > 1}
    if chart.sideways:
        layout |= {"yaxis": _names(names), "xaxis": _values(chart)}
    else:
        layout |= {"xaxis": {"type": "date"}, "yaxis": _values(chart), "hovermode": "x unified"}
    return graph_objects.Figure(traces, layout)


def _values(chart: Bars) -> dict[str, Any]:
    """The axis of the bars' values."""
    if chart.unit == "count":
        return _counts(chart)
    return {"rangemode": "tozero", "automargin": True, **_AXES[chart.unit]}


def _counts(chart: Bars) -> dict[str, Any]:
    """An axis of whole numbers: left to itself, plotly marks few of them by halves and fifths."""
    together = sum if chart.stacked else max
    values = zip(*(series.values for series in chart.series), strict=True)
    highest = max((together(beside) for beside in values), default=0)
    marks = {"dtick": 1} if highest <= _FEW else {}
    return {"rangemode": "tozero", "tickformat": ",d", "automargin": True, **marks}


def _lines(chart: Lines) -> Any:
    days = [day.isoformat() for day in chart.starts]
    traces = [_line(days, line, number) for number, line in enumerate(chart.lines)]
    marks = {"tickvals": days} if len(days) <= _FEW else {"nticks": _FEW}  # of few periods each, and nothing between
    layout = _layout(None) | {
        "xaxis": {"type": "date", "range": _days_around(chart.starts), "tickangle": 0, **marks},
        "yaxis": {"rangemode": "tozero", "automargin": True, **_AXES.get(chart.unit, {}), **_range_of(chart)},
        "hovermode": "x unified",
        "showlegend": len(traces) > 1,
        "shapes": [_mark(mark, number) for number, mark in enumerate(chart.marks)],
        "annotations": [_mark_name(mark) for mark in chart.marks],
        "meta": {"tones": [mark.tone for mark in chart.marks]},  # shapes and annotations have none of their own
    }
    return graph_objects.Figure(traces, layout)


def _line(days: Sequence[str], line: Line, number: int) -> Any:
    dash, symbol = _DASHES[number % len(_DASHES)], _SYMBOLS[number % len(_SYMBOLS)]
    return graph_objects.Scatter(
        x=days,
        y=line.values,
        name=str(line.name),
        mode="lines+markers",
        line={"dash": dash},
        marker={"symbol": symbol, "size": 6},
        connectgaps=False,
        meta={"tone": line.tone},
    )


def _mark(mark: Mark, number: int) -> dict[str, Any]:
    line = {"width": 1.5, "dash": _DASHES[1 + number % (len(_DASHES) - 1)]}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": mark.value, "y1": mark.value, "line": line}


def _mark_name(mark: Mark) -> dict[str, Any]:
    """At the end of the mark, outside the chart: what is drawn is often near a mark."""
    return {
        "text": "<br>".join(str(line) for line in mark.name),
        "xref": "paper",
        "x": 1,
        "xanchor": "left",
        "xshift": 4,
        "y": mark.value,
        "yanchor": "bottom" if mark.above else "top",
        "align": "left",
        "showarrow": False,
    }


def _range_of(chart: Lines) -> dict[str, Any]:
    """The whole of it for scores, so that charts can be held against one another; else up to the highest value."""
    if chart.unit == "score":
        return {"range": _SCORES}
    values = [value for line in chart.lines for value in line.values if value is not None]
    highest = max([*values, *(mark.value for mark in chart.marks)], default=0)
    if chart.unit == "percent" and highest > _HUNDREDTHS[1] / 2:
        return {"range": _HUNDREDTHS}
    return {"range": (0, highest * 1.1)} if highest else {}


def _days_around(starts: Sequence[date]) -> list[str]:
    """Periods without a value are shown too, and a single one does not fill the chart."""
    around = max(timedelta(days=1), (starts[-1] - starts[0]) / 30)
    return [(starts[0] - around).isoformat(), (starts[-1] + around).isoformat()]


def _durations(chart: Durations) -> Any:
    low, middle, high = zip(*chart.quartiles, strict=True)
    box = graph_objects.Box(
        q1=low,
        median=middle,
        q3=high,
        lowerfence=low,
        upperfence=high,
        y=chart.names,
        orientation="h",
        hoverinfo="skip",
        meta={"tone": "first"},
    )
    texts = [" – ".join(duration(seconds) for seconds in row) for row in chart.quartiles]
    medians = graph_objects.Scatter(
        x=middle, y=chart.names, mode="markers", text=texts, hoverinfo="text", meta={"tone": "first"}
    )
    layout = _layout(len(chart.names)) | {"yaxis": _names(chart.names), "showlegend": False}
    return graph_objects.Figure([box, medians], layout | {"xaxis": {"type": "log", **_marks(min(low), max(high))}})


def _marks(low: float, high: float) -> dict[str, Any]:
    """Round times along the axis, as many as there is room for."""
    marks = [seconds for seconds in _SECONDS if low / 2 <= seconds <= high * 2]
    marks = marks if len(marks) <= _MARKS_AT_MOST else [seconds for seconds in marks if seconds in _ROUNDEST]
    return {"tickvals": marks, "ticktext": [duration(seconds) for seconds in marks]} if marks else {"ticksuffix": " s"}


def _layout(rows: int | None) -> dict[str, Any]:
    height = _USUAL_HEIGHT if rows is None else max(_USUAL_HEIGHT // 2, _FRAME_HEIGHT + _ROW_HEIGHT * rows)
    return {"height": height, "bargap": 0.25, "dragmode": False}


def _names(names: Sequence[str]) -> dict[str, Any]:
    """An axis of names from top to bottom. Long ones are cut: the table of the chart has them whole."""
    shown = [Truncator(name).chars(_NAME_LENGTH) for name in names]
    rows = [len(names) - 0.5, -0.5]
    return {"type": "category", "range": rows, "automargin": True, "tickvals": names, "ticktext": shown}
