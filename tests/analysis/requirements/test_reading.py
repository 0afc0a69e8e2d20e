"""Questions read as a whole: spec 5, section 1. The regression suite has many more."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.contracts.requirements import UNKNOWN, Reading
from analysis.contracts.tables import Column, TableSchema
from analysis.errors import RequirementsUnserved
from analysis.files.opening import files_open
from analysis.requirements.reading import chart_read, question_read
from analysis.services import question_answer, question_plan

SALES = TableSchema(
    table="sales",
    rows=500,
    columns=(
        Column(name="order_id", type="text", distinct=500),
        Column(name="date", type="date", lowest="2022-01-01", highest="2024-12-31"),
        Column(name="region", values=("North", "South", "Madrid"), complete=True, distinct=3),
        Column(name="product_category", values=("Toys", "Books"), complete=True, distinct=2),
        Column(name="revenue", type="number", lowest="1", highest="900"),
        Column(name="units", type="integer", lowest="1", highest="30"),
    ),
)


def figures(reading: Reading) -> list[tuple[str | None, str]]:
    return [(figure.column, figure.func) for figure in reading.details.aggregates]


def test_section_1_the_documented_example_has_the_documented_schema() -> None:
    reading = question_read("Compare the total revenue by region and product category over time, with a chart", SALES)
    requirements = reading.requirements
    assert set(requirements.model_dump()) == {"metrics", "group_by", "time", "analysis", "outputs", "constraints"}
    assert requirements.metrics == ("revenue",)
    assert set(requirements.group_by) == {"region", "product_category"}
    assert (requirements.time.column, requirements.time.grain) == ("date", UNKNOWN)
    assert "chart" in requirements.outputs
    assert not {"anomaly", "distribution", "forecast"} & set(requirements.analysis)


@pytest.mark.parametrize(
    ("question", "figure", "groups"),
    [
        ("average revenue by region", ("revenue", "mean"), ("region",)),
        ("¿Cuáles son los ingresos medios por región?", ("revenue", "mean"), ("region",)),
        ("How many orders are there in each region?", (None, "count"), ("region",)),
        ("número de pedidos por región", (None, "count"), ("region",)),
        ("total units for each product category", ("units", "sum"), ("product_category",)),
        ("median revenue per product category", ("revenue", "median"), ("product_category",)),
    ],
)
def test_questions_in_both_languages_find_english_columns(
    question: str, figure: tuple[str | None, str], groups: tuple[str, ...]
) -> None:
    reading = question_read(question, SALES)
    assert figures(reading) == [figure]
    assert reading.requirements.group_by == groups


def test_what_is_not_asked_is_empty() -> None:
    requirements = question_read("total revenue", SALES).requirements
    assert requirements.group_by == ()
    assert (requirements.time.column, requirements.time.grain) == (UNKNOWN, UNKNOWN)
    assert requirements.outputs == ()
    assert requirements.constraints == ()


def test_values_and_dates_become_constraints_with_their_phrase() -> None:
    reading = question_read("total revenue in Madrid since March 2023", SALES)
    assert [(condition.column, condition.op, condition.value) for condition in reading.details.filters] == [
        ("region", "=", "Madrid"),
        ("date", ">=", "2023-03-01"),
    ]
    assert all(condition.phrase in "total revenue in Madrid since March 2023" for condition in reading.details.filters)


def test_a_requirement_names_the_phrase_that_asks_for_it() -> None:
    reading = question_read("average revenue by region", SALES)
    phrases = {item.requirement: item.phrase for item in reading.details.justifications}
    assert "revenue" in phrases["metrics=revenue"]
    assert "region" in phrases["group_by=region"]


def test_what_the_table_does_not_have_is_refused_in_words_and_never_dropped() -> None:
    reading = question_read("total revenue by astronaut", SALES)
    with pytest.raises(RequirementsUnserved, match="astronaut") as refused:
        question_plan("total revenue by astronaut", reading)
    assert refused.value.coverage.missing == {"group_by": ("astronaut",)}
    assert refused.value.coverage.rate < 1


def test_a_column_of_a_second_file_is_joined_by_their_key(tmp_path: Path) -> None:
    (tmp_path / "orders.csv").write_text("order_id,customer_id,amount\n1,a,10\n2,b,20\n3,a,5\n")
    (tmp_path / "customers.csv").write_text("customer_id,city\na,Lugo\nb,Vigo\n")
    with files_open([tmp_path / "orders.csv", tmp_path / "customers.csv"]) as files:
        analysis = question_answer("total amount by city", source=files, schemas=files.schemas)
    assert sorted(analysis.execution.table.rows) == [("Lugo", 15), ("Vigo", 20)]
    assert analysis.coverage.valid
    assert any("join" in step.tool for step in analysis.plan.steps)


def test_a_chart_has_axes_and_an_aggregate() -> None:
    chart = chart_read("Show a bar chart of the average revenue for each region", SALES)
    assert (chart.type, chart.x, chart.y, chart.aggregate) == ("bar", "region", "revenue", "avg")


def test_the_same_question_is_read_alike_each_time() -> None:
    question = "¿Qué región vendió más unidades en 2023?"
    assert question_read(question, SALES) == question_read(question, SALES)


@settings(max_examples=40)
@given(st.text(max_size=80))
def test_any_text_is_read(text: str) -> None:
    reading = question_read(text, SALES)
    assert all(name in {column.name for column in SALES.columns} for name in reading.requirements.metrics)


@pytest.mark.parametrize(
    "text", ["", "   ", "?!", "\x00", "🙂" * 50, "'; DROP TABLE sales; --", "word " * 2_000, "top " + "9" * 400]
)
def test_odd_texts_have_a_plan(text: str) -> None:
    reading = question_read(text, SALES)
    assert question_plan(text, reading).coverage.valid
