"""The chart that suits a reading, as a reader would name it."""

from analysis.contracts.requirements import AnalysisLabel, ChartShape
from analysis.requirements.charting import chart_of
from analysis.requirements.meaning import Figure, Meaning, Reason, reading_of
from tests.each import each

WHY = Reason()
PRICE = Figure("price", "sum")
AGE, SCORE = Figure("age", "none"), Figure("score", "none")
CITY = Figure("city", "none", is_number=False)


def labels(*names: AnalysisLabel) -> dict[AnalysisLabel, Reason]:
    return dict.fromkeys(names, WHY)


@each(
    "meaning, chart",
    [
        (Meaning([PRICE], {"city": WHY}), ("bar", "city", "price", "sum", None)),
        (Meaning([Figure("price", "mean")], {"city": WHY, "shop": WHY}), ("bar", "city", "price", "avg", "shop")),
        (Meaning([PRICE], {"city": WHY}, ("date", "month")), ("line", "date", "price", "sum", "city")),
        (Meaning([PRICE], {"date": WHY}, ("date", "month")), ("line", "date", "price", "sum", None)),
        (Meaning([Figure(None, "count")], {"city": WHY}, labels=labels("share")), ("pie", "city", "*", "count", None)),
        (Meaning([PRICE]), ("bar", None, "price", "sum", None)),
        (Meaning([AGE], labels=labels("distribution")), ("histogram", "age", None, None, None)),
        (Meaning([AGE], {"city": WHY}, labels=labels("distribution")), ("bar", "city", "age", None, None)),
        (Meaning([AGE, SCORE], labels=labels("correlation")), ("scatter", "age", "score", None, None)),
        (Meaning([AGE, SCORE], {"city": WHY}, chart="scatter"), ("scatter", "age", "score", None, "city")),
        (Meaning([AGE, CITY]), ("bar", "city", "age", None, None)),
        (Meaning(listed=["name", "age"], labels=labels("list")), ("bar", "name", "age", None, None)),
        (Meaning([PRICE], {"city": WHY}, chart="pie"), ("pie", "city", "price", "sum", None)),
        (Meaning(), ("bar", None, None, None, None)),
    ],
)
def test_a_chart_has_its_kind_its_axes_and_its_colour(meaning: Meaning, chart: tuple[str | None, ...]) -> None:
    kind, x, y, aggregate, color = chart
    shape = ChartShape.model_validate({"type": kind, "x": x, "y": y, "aggregate": aggregate, "color": color})
    assert chart_of(reading_of(meaning)) == shape
