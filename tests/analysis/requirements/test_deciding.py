"""From what the network says to what a question means: decisions that fit each other and the table."""

from typing import Any

import numpy as np
import pytest

from analysis.contracts.requirements import ANALYSES, Filter
from analysis.requirements.conditions import amounts_merged, period_condition, value_conditions, values_named
from analysis.requirements.deciding import meaning_decide
from analysis.requirements.inputs import inputs_of
from analysis.requirements.meaning import Meaning, reading_of
from analysis.requirements.network import CHARTS, DIRECTIONS, HOLDS, LIMIT, LIMITS, OPERATORS, PARTS, STATES, TIMES
from analysis.requirements.periods import periods_of
from tests.analysis.requirements.outcomes import PLACE, SALES, first, named, nothing, one, read

COLUMNS = len(SALES.columns)


def decided(text: str, **changes: Any) -> Meaning:
    question, inputs = read(text)
    return meaning_decide(question, SALES, inputs, nothing(inputs, **changes))


def parts(**of: str) -> Any:
    rows = first(COLUMNS, len(PARTS))
    for name, part in of.items():
        rows[PLACE[name]] = one(PARTS.index(part), len(PARTS))
    return rows


def labels(*names: str) -> Any:
    return np.array([float(label in names) for label in ANALYSES], dtype=np.float32)


def conditions(meaning: Meaning) -> list[tuple[str, str, Any]]:
    return [(condition.column, condition.op, condition.value) for condition in meaning.filters]


def test_spellings_of_one_value_are_one_condition() -> None:
    question, inputs = read("units in the north")
    found = value_conditions(
        question, SALES, values_named(inputs, nothing(inputs, values=named(inputs, "North", "north")))
    )
    assert [(condition.column, condition.op, set(condition.value)) for condition, _part in found] == [
        ("region", "in", {"North", "north"})
    ]


def test_words_name_one_value_the_likeliest() -> None:
    _question, inputs = read("north and south")
    likely = named(inputs, "North", "South")
    assert [value.value for value in values_named(inputs, nothing(inputs, values=likely))] == ["North", "South"]


@pytest.mark.parametrize(("is_refused", "value"), [(0.0, "Sí"), (1.0, "No")])
def test_a_yes_that_is_refused_is_a_no(is_refused: float, value: str) -> None:
    _question, inputs = read("those that are paid")
    refused = np.full((len(inputs.groups), 4), is_refused, dtype=np.float32)
    meaning = decided("those that are paid", values=named(inputs, "Sí"), refused=refused)
    assert conditions(meaning) == [("paid", "=", value)]


def test_a_value_that_is_refused_is_left_out() -> None:
    _question, inputs = read("all but south")
    refused = np.ones((len(inputs.groups), 4), dtype=np.float32)
    assert conditions(decided("all but south", values=named(inputs, "South"), refused=refused)) == [
        ("region", "!=", "South")
    ]


def test_a_number_is_held_against_the_column_that_it_is_of() -> None:
    meaning = decided("more than 5 units", amounts=one(PLACE["units"], COLUMNS + 3)[None])
    assert conditions(meaning) == [("units", ">", 5)]


def test_a_percentage_of_a_column_of_fractions_is_a_fraction() -> None:
    meaning = decided("rate over 20%", amounts=one(PLACE["rate"], COLUMNS + 3)[None])
    assert conditions(meaning) == [("rate", ">", 0.2)]


def test_several_numbers_that_one_column_may_be_equal_to_are_one_condition() -> None:
    pairs = [Filter(column="units", op="=", value=number) for number in (3, 5)]
    assert [(condition.op, condition.value) for condition in amounts_merged(pairs)] == [("in", [3, 5])]


def test_a_number_of_rows_is_the_limit() -> None:
    meaning = decided(
        "top 3 regions by units",
        amounts=one(COLUMNS + LIMIT, COLUMNS + 3)[None],
        parts=parts(units="sum"),
        group=np.array([1, 0, 0, 0, 0, 0], dtype=np.float32),
        direction=one(DIRECTIONS.index("desc"), len(DIRECTIONS)),
        labels=labels("rank"),
    )
    assert (meaning.limit, meaning.direction, list(meaning.groups)) == (3, "desc", ["region"])
    assert set(meaning.labels) == {"rank"}


def test_the_one_with_the_most_is_a_limit_of_one() -> None:
    meaning = decided("which region sold most", limit=one(LIMITS.index("one"), len(LIMITS)))
    assert meaning.limit == 1


@pytest.mark.parametrize(
    ("text", "op", "value", "grain"),
    [
        ("in 2023", "between", ["2023-01-01", "2023-12-31"], None),
        ("since March 2023", ">=", "2023-03-01", None),
        ("before 2023", "<", "2023-01-01", None),
        ("on 3 May 2023", "=", "2023-05-03", None),
        ("in May", "=", 5, "month_of_year"),
    ],
)
def test_a_period_is_held_against_dates(text: str, op: str, value: Any, grain: str | None) -> None:
    question, inputs = read(text)
    found = period_condition(question, SALES.columns[PLACE["ordered"]], inputs.periods[0][0])
    assert (found.op, found.value, found.grain) == (op, value, grain)


def test_a_period_held_against_whole_years_is_a_year() -> None:
    question, _inputs = read("in 2023")
    years = SALES.columns[PLACE["units"]].model_copy(update={"name": "year", "lowest": "2019", "highest": "2024"})
    found = period_condition(question, years, periods_of("in 2023")[0])
    assert (found.op, found.value) == ("=", 2023)


@pytest.mark.parametrize(("state", "op", "value"), [("null", "null", None), ("some", ">", 0)])
def test_a_column_that_is_empty_or_more_than_none(state: str, op: str, value: Any) -> None:
    rows = first(COLUMNS, len(STATES))
    rows[PLACE["units"]] = one(STATES.index(state), len(STATES))
    assert conditions(decided("with units", states=rows)) == [("units", op, value)]


def test_a_column_held_against_another() -> None:
    meaning = decided(
        "delivered after they were ordered",
        held=one(HOLDS.index(">"), len(HOLDS)),
        held_left=one(PLACE["delivered"], COLUMNS),
        held_right=one(PLACE["ordered"], COLUMNS),
    )
    assert conditions(meaning) == [("delivered", ">", {"column": "ordered"})]


def test_days_between_two_dates_are_their_difference_and_never_summed() -> None:
    meaning = decided(
        "days to deliver",
        operator=one(OPERATORS.index("divide"), len(OPERATORS)),
        operator_part=one(PARTS.index("sum"), len(PARTS)),
        parts=parts(delivered="left", ordered="right"),
    )
    (figure,) = meaning.figures
    assert figure.expression is not None
    assert (figure.func, figure.expression.operator, figure.columns) == ("mean", "subtract", ("delivered", "ordered"))


def test_texts_are_never_summed() -> None:
    (figure,) = decided("regions", parts=parts(region="sum"), labels=labels("total")).figures
    assert (figure.column, figure.func) == ("region", "count_distinct")


def test_what_is_spread_over_groups_has_a_figure() -> None:
    meaning = decided("by region", group=np.array([1, 0, 0, 0, 0, 0], dtype=np.float32), counted=0.4)
    assert [(figure.column, figure.func) for figure in meaning.figures] == [(None, "count")]


def test_a_trend_without_time_is_taken_back() -> None:
    meaning = decided("trend", parts=parts(units="sum"), labels=labels("trend", "total"))
    assert set(meaning.labels) == {"total"}


def test_a_correlation_is_of_two_numbers_the_likeliest() -> None:
    meaning = decided("relation", parts=parts(units="none"), labels=labels("correlation"))
    assert [(figure.column, figure.func) for figure in meaning.figures] == [("units", "none"), ("rate", "none")]


def test_a_condition_on_groups_needs_groups() -> None:
    amounts = one(COLUMNS + 2, COLUMNS + 3)[None]
    spread = {"group": np.array([1, 0, 0, 0, 0, 0], dtype=np.float32), "counted": 0.9}
    assert not decided("more than 5 orders", amounts=amounts, counted=0.9).having
    assert [(found.op, found.value) for found in decided("more than 5 orders", amounts=amounts, **spread).having] == [
        (">", 5)
    ]


def test_a_condition_says_how_likely_it_is_and_what_else_it_may_be_on() -> None:
    shares = 0.7 * one(PLACE["units"], COLUMNS + 3) + 0.3 * one(PLACE["rate"], COLUMNS + 3)
    reading = reading_of(decided("over 5", amounts=shares[None], counted=0.9))
    (told,) = [item for item in reading.details.justifications if item.requirement.startswith("constraints=")]
    assert (told.phrase, told.alternatives) == ("over 5", ("rate",))
    assert told.probability == pytest.approx(0.7)


def test_a_forecast_of_a_table_without_time_is_not_dropped() -> None:
    question, _inputs = read("forecast of units")
    columns = tuple(column for column in SALES.columns if not column.is_time)
    timeless = SALES.model_copy(update={"columns": columns})
    inputs = inputs_of(question, timeless)
    meaning = meaning_decide(question, timeless, inputs, nothing(inputs, labels=labels("forecast")))
    assert [(missing.field, missing.phrase) for missing in meaning.unmatched] == [("time", "forecast")]


def test_a_chart_is_an_output_with_its_words() -> None:
    meaning = decided("pie chart of units", chart=one(CHARTS.index("pie"), len(CHARTS)))
    assert meaning.chart == "pie"
    assert meaning.outputs["chart"].phrase == "pie chart"


def test_a_trend_by_a_period_that_is_named_has_the_likeliest_time() -> None:
    unsure = 0.6 * one(COLUMNS, COLUMNS + 1) + 0.4 * one(PLACE["ordered"], COLUMNS + 1)
    grain = one(TIMES.index("month"), len(TIMES))
    assert decided("units by month", time=unsure, grain=grain, labels=labels("trend")).time == ("ordered", "month")
    assert decided("units by month", time=unsure, grain=grain).time is None


def test_over_time_says_no_period() -> None:
    grain = one(TIMES.index("year"), len(TIMES))
    meaning = decided("units over time", time=one(PLACE["ordered"], COLUMNS + 1), grain=grain)
    assert meaning.time == ("ordered", "unknown")


def test_a_chart_that_nobody_names_is_not_asked_for_but_where_it_is_plain() -> None:
    likely = 0.9 * one(CHARTS.index("bar"), len(CHARTS)) + 0.1 * one(0, len(CHARTS))
    assert decided("units, with a chart", chart=likely).chart is None
    assert decided("units as columns", chart=one(CHARTS.index("bar"), len(CHARTS))).chart == "bar"


def test_words_that_fit_two_columns_mean_one_group() -> None:
    both = np.array([0, 0, 0.8, 0.9, 0, 0], dtype=np.float32)
    assert list(decided("delivered", group=both).groups) == ["delivered"]


def test_yes_and_no_set_beside_each_other_are_both_kept() -> None:
    _question, inputs = read("paid against not paid")
    both = {"values": named(inputs, "Sí"), "labels": labels("compare"), "counted": 0.9}
    meaning = decided("paid against not paid", group=one(PLACE["paid"], COLUMNS), **both)
    assert (list(meaning.groups), conditions(meaning)) == (["paid"], [])


def test_words_near_no_column_are_not_there_but_where_a_group_is_sure() -> None:
    unsure, sure = 0.7 * one(PLACE["region"], COLUMNS), one(PLACE["region"], COLUMNS)
    text = "units by astronaut"
    assert [missing.phrase for missing in decided(text, group=unsure).unmatched] == ["astronaut"]
    assert not decided(text, group=sure).unmatched


def test_two_columns_in_one_need_both() -> None:
    operator = one(OPERATORS.index("divide"), len(OPERATORS))
    (figure,) = decided("units", operator=operator, parts=parts(units="sum"), labels=labels("total")).figures
    assert figure.expression is None


def test_results_are_spread_over_dates_alone() -> None:
    grain = one(TIMES.index("month"), len(TIMES))
    assert decided("by month", time=one(PLACE["ordered"], COLUMNS + 1), grain=grain).time == ("ordered", "month")
    assert decided("by month", time=one(PLACE["region"], COLUMNS + 1), grain=grain).time is None
