"""Identifiers as words, descriptions and questions in parts, requirements as queries."""

from analysis.contracts.plans import Tool
from analysis.narrowing.queries import queries_of, queries_of_missing
from analysis.narrowing.texts import parts_of, tool_text, words_apart
from tests.analysis.narrowing.catalogs import reading_of
from tests.each import each


@each("name, words", [("plot_line", "plot line"), ("PDFExporter2Go", "PDF Exporter2 Go")])
def test_an_identifier_is_its_words(name: str, words: str) -> None:
    assert words_apart(name) == words


@each(
    "question, count",
    [
        ("What is the weather in Rome?", 0),
        ("What is the weather in Rome? And which hotels are cheap there", 2),
        ("find a course on baking and tell me the news", 2),
        ("busca un curso de cocina y dime las noticias de hoy", 2),
        ("sales and costs", 0),
        (". ".join(f"this is part {number}" for number in range(50)), 6),
    ],
)
def test_a_question_has_the_parts_that_may_each_ask_for_something(question: str, count: int) -> None:
    assert len(parts_of(question)) == count


def test_a_tool_without_a_description_is_described_by_its_capabilities() -> None:
    text = tool_text(Tool(name="plot_line", capabilities=("plot", "time_series")))
    assert text.description == "plot, time series"
    assert {"plot", "time series"} <= set(text.clauses)


def test_each_requirement_is_a_query_and_all_are_one_more() -> None:
    reading = reading_of(metrics=["net_sales"], group_by=["region"], analysis=["trend"], outputs=["chart"])
    queries = queries_of(reading, "how do sales go?")
    assert [query.source for query in queries] == [
        "metrics=net_sales", "group_by=region", "analysis=trend", "outputs=chart", "question", "combined",
    ]  # fmt: skip
    assert "net sales" in queries[0].text


def test_what_is_missing_is_asked_for_by_field() -> None:
    queries = queries_of_missing({"group_by": ("region", "city"), "time": ("unknown",)})
    assert [query.source for query in queries] == ["group_by=region", "group_by=city", "time=unknown", "combined"]
    assert "unknown" not in queries[2].text
