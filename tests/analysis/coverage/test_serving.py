"""Which steps serve constraints, and how conditions are written there."""

from typing import Any

from analysis.contracts.plans import Step, Tool
from analysis.contracts.requirements import ANALYSES, Filter
from analysis.coverage.serving import FULFILS, condition_text, fulfils, key_parts, mentioned, supports
from tests.analysis.plans import shipped, step
from tests.each import each


@each(
    "condition, text",
    [
        ({"column": "city", "op": "=", "value": "Madrid"}, "city = Madrid"),
        ({"column": "age", "op": "between", "value": [5, 10]}, "age between 5 and 10"),
        ({"column": "city", "op": "in", "value": ["Madrid", "Cádiz"]}, "city in Madrid, Cádiz"),
        ({"column": "age", "op": "null"}, "age null"),
        ({"column": "age", "op": "not_null", "value": None}, "age not_null"),
        ({"column": "income", "op": ">", "value": {"column": "cost"}}, "income > cost"),
        ({"column": "date", "op": "=", "value": 5, "grain": "month_of_year"}, "date month_of_year = 5"),
        ({"column": "limit", "op": "=", "value": 5}, '"limit" = 5'),
        ({"column": "order", "op": "=", "value": "price desc"}, '"order" = price desc'),
        ({"column": "chart = bar", "op": "null"}, '"chart = bar" null'),
        ({"column": "limits", "op": "=", "value": 5}, "limits = 5"),
    ],
)
def test_a_condition_is_written_as_constraints_have_it(condition: dict[str, Any], text: str) -> None:
    assert condition_text(condition) == text
    assert condition_text(Filter.model_validate(condition).model_dump()) == text


def test_what_is_no_condition_has_no_text() -> None:
    assert condition_text("city = Madrid") == ""


@each(
    "text, by, is_served",
    [
        ("chart = pie", step("plot_pie", x="a", y="b"), True),
        ("chart = pie", step("plot_bar", x="a", y="b"), False),
        ("limit = 5", step("rank", by="a", direction="desc", limit=5), True),
        ("limit = 5", step("rank", by="a", direction="desc", limit=6), False),
        ("limit = 5", step("rank", by="a", direction="desc"), False),
        ("limit = 5", step("select", columns=["limit", "5"]), False),
        ("order = a desc", step("rank", by="a", direction="desc"), True),
        ("order = a desc", step("rank", by="a", direction="asc"), False),
        ("order = a desc", step("rank", by="b", direction="desc"), False),
        ("city = Madrid", step("filter", where=[{"column": "city", "op": "=", "value": "Madrid"}]), True),
        ("city = Madrid", step("filter", where=[{"column": "city", "op": "!=", "value": "Madrid"}]), False),
        ("city = Madrid", step("filter", where=["city = Madrid"]), False),
        ("city = Madrid", step("filter"), False),
        ("city = Madrid", step("share", where=[{"column": "city", "op": "=", "value": "Madrid"}]), True),
        ("city = Madrid", step("select", where=[{"column": "city", "op": "=", "value": "Madrid"}]), False),
        ("limit = 5", step("filter", where=[{"column": "limit", "op": "=", "value": 5}]), False),
        ('"limit" = 5', step("filter", where=[{"column": "limit", "op": "=", "value": 5}]), True),
        ('"limit" = 5', step("rank", by="a", direction="desc", limit=5), False),
    ],
)
def test_a_constraint_is_served_by_the_step_that_does_just_that(text: str, by: Step, is_served: bool) -> None:
    assert fulfils(shipped()[by.tool], by, f"constraints={text}") is is_served


def test_each_analysis_of_the_closed_set_is_served_by_a_tool_that_comes_with_the_product() -> None:
    can = {capability for tool in shipped().values() for capability in tool.capabilities}
    for label in ANALYSES:
        assert not can.isdisjoint(FULFILS[f"analysis={label}"]), label


@each(
    "key, by",
    [
        ("group_by=region", step("aggregate", agg_func="count_distinct", metrics=["region"])),
        ("group_by=region", step("share", where=[{"column": "region", "op": "=", "value": "North"}])),
        ("group_by=region", step("compute_summary_stats", metrics=["region"])),
        ("metrics=revenue", step("aggregate", agg_func="count", metrics=["*"], group_by=["revenue"])),
        ("metrics=revenue", step("share", where=[{"column": "revenue", "op": ">", "value": 1}])),
        ("metrics=sum", step("aggregate", agg_func="sum", metrics=["price"])),
        ("time=date", step("plot_line", x="city", y="date")),
    ],
)
def test_a_column_is_served_only_where_the_parameter_does_what_is_required(key: str, by: Step) -> None:
    assert not fulfils(shipped()[by.tool], by, key)


@each("key, is_served", [("group_by=a", True), ("metrics=b", True), ("group_by=b", False), ("metrics=a", False)])
def test_an_entry_without_types_is_read_by_the_names_of_its_parameters(key: str, is_served: bool) -> None:
    documented = Tool(
        name="aggregate",
        capabilities=("aggregate", "group_by", "summarize"),
        params=("group_by", "agg_func", "metrics"),
    )
    by = step("aggregate", group_by=["a"], agg_func="sum", metrics=["b"])
    assert fulfils(documented, by, key) is is_served


@each("key, parts", [("group_by=a=b", ("group_by", "a=b")), ("outputs=chart", ("outputs", "chart")), ("x", ("x", ""))])
def test_a_key_is_parted_at_its_first_sign(key: str, parts: tuple[str, str]) -> None:
    assert key_parts(key) == parts


def test_texts_of_parameters_are_mentioned_however_deep() -> None:
    params = {"where": [{"column": "a", "value": ["b", {"column": "c"}]}], "n": 3, "by": "d"}
    assert mentioned(params) == {"a", "b", "c", "d"}


def test_a_column_that_is_called_unknown_is_a_column() -> None:
    by = step("segment", "group_by=unknown", column="city")
    assert not fulfils(shipped()["segment"], by, "group_by=unknown")


def test_a_key_of_a_field_that_there_is_not_is_neither_served_nor_supported() -> None:
    by = step("aggregate", "mood=good", metrics=["good"])
    assert not supports(shipped()["aggregate"], by, "mood=good")
