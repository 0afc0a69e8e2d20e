"""What charts of lines hand to the page: gaps, marks such as targets, and nothing that only a colour tells."""

from datetime import date, timedelta
from typing import Any

from telemetry.board.charts import chart_json
from telemetry.panels import Line, Lines, Mark, Unit

DAYS = [date(2026, 3, 1) + timedelta(days=number) for number in range(10)]
SCORES: list[float | None] = [0.5, None, 0.7, *[0.8] * 7]
TARGET = Mark(("Target", "over 0.8"), 0.8, "good")
ALERT = Mark(("Alert", "under 0.6"), 0.6, "bad", above=False)


def drawn(values: list[float | None] = SCORES, unit: Unit = "score", marks: tuple[Mark, ...] = ()) -> dict[str, Any]:
    days = DAYS[: len(values)]
    return chart_json(Lines(days, [Line("Depth", values, "first")], marks, unit))


def test_a_period_without_a_value_is_a_gap_and_no_zero() -> None:
    [line] = drawn()["data"]
    assert line["y"][:3] == [0.5, None, 0.7]
    assert line["connectgaps"] is False
    assert line["x"][0] == "2026-03-01"


def test_marks_cross_the_chart_and_are_named_beside_it_by_more_than_a_colour() -> None:
    layout = drawn(marks=(TARGET, ALERT))["layout"]
    assert [(shape["y0"], shape["y1"], shape["x0"], shape["x1"]) for shape in layout["shapes"]] == [
        (0.8, 0.8, 0, 1),
        (0.6, 0.6, 0, 1),
    ]
    assert len({shape["line"]["dash"] for shape in layout["shapes"]}) == 2
    assert [name["text"] for name in layout["annotations"]] == ["Target<br>over 0.8", "Alert<br>under 0.6"]
    assert [name["yanchor"] for name in layout["annotations"]] == ["bottom", "top"]
    assert layout["meta"] == {"tones": ["good", "bad"]}


def test_several_lines_differ_by_dash_and_symbol() -> None:
    lines = [Line(name, SCORES, "first") for name in ("Mean", "Median", "p95")]
    figure = chart_json(Lines(DAYS, lines))
    assert len({(line["line"]["dash"], line["marker"]["symbol"]) for line in figure["data"]}) == 3
    assert figure["layout"]["showlegend"]


def test_the_axis_holds_every_value_and_every_mark() -> None:
    assert drawn()["layout"]["yaxis"]["range"] == [0, 1.03]
    few = (Mark(("Target",), 5, "good"), Mark(("Alert",), 15, "bad"))
    assert drawn([0.0, 1.0], "percent", few)["layout"]["yaxis"]["range"][1] > 15
    assert drawn([100.0, 1.0], "percent", few)["layout"]["yaxis"]["range"][1] > 100
    assert drawn([2.5], "count")["layout"]["yaxis"]["range"][1] > 2.5
    assert "range" not in drawn([None, 0.0], "count")["layout"]["yaxis"]


def test_days_at_the_edges_without_a_value_are_shown_and_few_days_are_marked_one_by_one() -> None:
    axis = drawn([None, 0.5, None])["layout"]["xaxis"]
    assert axis["tickvals"] == ["2026-03-01", "2026-03-02", "2026-03-03"]
    assert axis["range"] == ["2026-02-28", "2026-03-04"]
    assert "tickvals" not in drawn()["layout"]["xaxis"]
