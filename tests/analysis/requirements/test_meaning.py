"""Decisions as the documented requirements with details: names, constraints, reasons."""

from analysis.contracts.requirements import Expression, Filter, Requirements, TimeRequirement
from analysis.requirements.meaning import Figure, Meaning, Reason, reading_of
from tests.each import each

PRICE = Figure("price", "sum")
WHY = Reason()
RATIO = Expression(operator="divide", left="price", right="units")


def test_nothing_decided_is_nothing_required() -> None:
    reading = reading_of(Meaning())
    assert reading.requirements == Requirements()
    assert reading.requirements.keys() == ()


def test_requirements_have_what_was_decided_and_constraints_in_one_order() -> None:
    meaning = Meaning(
        [PRICE, Figure("cost", "mean")],
        {"city": WHY, "shop": WHY},
        ("date", "month"),
        filters=[Filter(column="city", op="=", value="Madrid")],
        having=[Filter(column="price", op=">", value=5)],
        direction="desc",
        limit=3,
        labels={"rank": WHY},
        chart="bar",
        outputs={"chart": WHY},
    )
    assert reading_of(meaning).requirements == Requirements(
        metrics=("price", "cost"),
        group_by=("city", "shop"),
        time=TimeRequirement(column="date", grain="month"),
        analysis=("rank",),
        outputs=("chart",),
        constraints=("city = Madrid", "price > 5", "order = price desc", "limit = 3", "chart = bar"),
    )


@each(
    "figures, groups, names",
    [
        ([PRICE], [], ["price"]),
        ([PRICE, Figure("price", "max")], [], ["sum_price", "max_price"]),
        ([Figure(None, "count")], [], ["count"]),
        ([Figure(None, "count")], ["count"], ["count_2"]),
        ([Figure("city", "count_distinct")], [], ["count_distinct_city"]),
        ([PRICE], ["price"], ["sum_price"]),
        ([PRICE], ["Price"], ["sum_price"]),
        ([Figure(None, "mean", RATIO)], [], ["price / units"]),
        ([Figure("price", "none"), Figure("city", "none")], [], ["price", "city"]),
    ],
)
def test_each_figure_has_its_column_in_the_result(figures: list[Figure], groups: list[str], names: list[str]) -> None:
    reading = reading_of(Meaning(figures, dict.fromkeys(groups, WHY)))
    assert [aggregate.name for aggregate in reading.details.aggregates] == names


def test_a_computed_figure_requires_both_its_columns() -> None:
    reading = reading_of(Meaning([Figure(None, "sum", RATIO)]))
    assert reading.requirements.metrics == ("price", "units")
    assert reading.details.aggregates[0].expression == RATIO


def test_bare_values_over_time_are_the_mean_of_numbers_and_how_many_different_texts() -> None:
    bare = [Figure("price", "none"), Figure("city", "none", is_number=False)]
    assert [figure.func for figure in reading_of(Meaning(bare, time=("date", "month"))).details.aggregates] == [
        "mean",
        "count_distinct",
    ]
    assert [figure.func for figure in reading_of(Meaning(bare)).details.aggregates] == ["none", "none"]


@each(
    "meaning, order",
    [
        (Meaning([PRICE], direction="desc"), "order = price desc"),
        (Meaning([PRICE], direction="asc", order_by="cost"), "order = cost asc"),
        (Meaning([PRICE], {"city": WHY}, direction="desc", labels={"share": WHY}), "order = share desc"),
        (Meaning([Figure("price", "sum"), Figure("price", "max")], direction="desc"), "order = sum_price desc"),
        (Meaning([Figure("day", "max", is_number=False), PRICE], direction="desc"), "order = price desc"),
    ],
)
def test_rows_are_ordered_by_the_first_number_unless_something_else_is_meant(meaning: Meaning, order: str) -> None:
    assert reading_of(meaning).requirements.constraints == (order,)


def test_what_cannot_be_ordered_by_is_not_ordered() -> None:
    assert reading_of(Meaning(direction="desc")).requirements.constraints == ()


def test_a_count_that_nothing_else_asks_for_is_a_total() -> None:
    count = Figure(None, "count")
    assert reading_of(Meaning([count])).requirements.analysis == ("total",)
    assert reading_of(Meaning([count], {"city": WHY})).requirements.analysis == ()
    filtered = Meaning([count], filters=[Filter(column="city", op="=", value="Madrid")])
    assert reading_of(filtered).requirements.analysis == ()
    assert reading_of(Meaning([PRICE])).requirements.analysis == ()


def test_every_requirement_says_which_words_ask_for_it() -> None:
    meaning = Meaning(
        [Figure("price", "sum", reason=Reason("revenue", 0.9, ("cost",)))],
        {"city": Reason("by town", 0.8)},
        ("date", "month"),
        Reason("monthly", 0.7),
        [Filter(column="city", op="=", value="Madrid", phrase="in Madrid")],
        limit=3,
        limit_reason=Reason("three"),
        labels={"trend": Reason("evolved")},
        outputs={"table": Reason("a table")},
    )
    reading = reading_of(meaning)
    assert {item.requirement: item.phrase for item in reading.details.justifications} == {
        "metrics=price": "revenue",
        "group_by=city": "by town",
        "time=date": "monthly",
        "analysis=trend": "evolved",
        "outputs=table": "a table",
        "constraints=city = Madrid": "in Madrid",
        "constraints=limit = 3": "three",
    }
    assert [item.requirement for item in reading.details.justifications] == list(reading.requirements.keys())
    first = reading.details.justifications[0]
    assert (first.explicit, first.probability, first.alternatives) == (True, 0.9, ("cost",))


def test_a_requirement_without_words_is_implicit_and_chances_stay_between_0_and_1() -> None:
    meaning = Meaning([Figure("price", "sum", reason=Reason("", 1.7))], {"city": Reason("", -0.1)})
    figures, groups = reading_of(meaning).details.justifications
    assert (figures.explicit, figures.probability, groups.probability) == (False, 1.0, 0.0)


def test_a_column_that_is_named_like_another_kind_of_constraint_is_told_apart() -> None:
    meaning = Meaning([PRICE], filters=[Filter(column="limit", op="=", value=5)], limit=5)
    assert reading_of(meaning).requirements.constraints == ('"limit" = 5', "limit = 5")
