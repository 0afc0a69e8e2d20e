"""Plans that rules make: which steps, in which order, with which words."""

from typing import Any

from django.utils.translation import override

from analysis.adaptation.planning import plan_make
from analysis.adaptation.proposing import changes_by_rules
from analysis.contracts.plans import AnalysisPlan
from analysis.contracts.requirements import Expression, Filter, Join
from analysis.requirements.meaning import Figure, Meaning, Reason, reading_of
from analysis.templates.choosing import template_choose, template_plan
from tests.analysis.plans import shipped
from tests.each import each

PRICE = Figure("price", "sum")
BARE = Figure("price", "none")
CITY = Figure("city", "none", is_number=False)
SHOP = Figure("shop", "none", is_number=False)
MADRID = Filter(column="city", op="=", value="Madrid")
SAID = Reason("the words")


def plan_of(meaning: Meaning) -> AnalysisPlan:
    reading = reading_of(meaning)
    made = plan_make(reading, template_choose(reading), shipped())
    assert made.coverage.valid, made.coverage.message
    return made.plan


def tools_of(meaning: Meaning) -> list[str]:
    return [step.tool for step in plan_of(meaning).steps]


@each(
    "meaning, tools",
    [
        (Meaning([PRICE], {"city": SAID}), ["aggregate", "plot_bar"]),
        (Meaning([PRICE], {"city": SAID}, labels={"compare": SAID}), ["aggregate", "plot_bar"]),
        (Meaning([Figure("city", "count_distinct")], {"shop": SAID}), ["aggregate", "plot_bar"]),
        (Meaning([PRICE], {"city": SAID}, time=("date", "month")), ["parse_datetime", "aggregate", "plot_line"]),
        (Meaning([PRICE]), ["aggregate"]),
        (Meaning([Figure(None, "count")]), ["aggregate"]),
        (Meaning([PRICE], {"city": SAID}, filters=[MADRID]), ["filter", "aggregate", "plot_bar"]),
        (Meaning([PRICE], {"city": SAID}, direction="desc", limit=3), ["aggregate", "rank", "plot_bar"]),
        (Meaning([PRICE], {"city": SAID}, labels={"share": SAID}), ["aggregate", "share", "plot_pie"]),
        (Meaning([BARE], labels={"share": SAID}), ["share", "select"]),
        (Meaning([BARE], labels={"distribution": SAID}), ["histogram"]),
        (Meaning([CITY], labels={"distribution": SAID}), ["histogram"]),
        (Meaning([BARE], {"city": SAID}, labels={"distribution": SAID}), ["compute_summary_stats"]),
        (Meaning([BARE, Figure("age", "none")], labels={"distribution": SAID}), ["compute_summary_stats"]),
        (Meaning([BARE, Figure("age", "none")], labels={"correlation": SAID}), ["plot_scatter", "correlate"]),
        (Meaning([BARE, Figure("age", "none")], labels={"compare": SAID}), ["compute_summary_stats"]),
        (Meaning([BARE], labels={"anomaly": SAID}), ["detect_anomalies"]),
        (Meaning([CITY, BARE], labels={"anomaly": SAID}), ["detect_anomalies", "select"]),
        (Meaning([BARE, CITY], labels={"list": SAID}), ["select"]),
        (
            Meaning([BARE], {"city": SAID, "shop": SAID}, outputs={"table": SAID}),
            ["segment", "segment", "plot_bar", "select", "table"],
        ),
        (Meaning([Figure(None, "count")], {"city": SAID}, labels={"list": SAID}), ["aggregate", "plot_bar", "table"]),
        (
            Meaning([PRICE], time=("date", "month"), labels={"forecast": SAID}),
            ["parse_datetime", "aggregate", "forecast_naive", "plot_line"],
        ),
        (Meaning([BARE], labels={"distribution": SAID}, direction="desc", limit=9), ["rank", "histogram"]),
        (Meaning([PRICE], {"city": SAID, "shop": SAID}, chart="heatmap"), ["aggregate", "plot_heatmap"]),
        (Meaning([PRICE], {"city": SAID, "shop": SAID, "kind": SAID}), ["aggregate"]),
        (Meaning([PRICE], {"city": SAID, "shop": SAID}, labels={"share": SAID}), ["aggregate", "share", "plot_bar"]),
        (Meaning([CITY], outputs={"chart": SAID}), ["select", "histogram"]),
        (Meaning([BARE], labels={"anomaly": SAID}, outputs={"chart": SAID}), ["plot_box", "detect_anomalies"]),
        (
            Meaning([PRICE], time=("date", "month"), labels={"anomaly": SAID}),
            ["parse_datetime", "aggregate", "plot_line", "detect_anomalies"],
        ),
        (Meaning([CITY, SHOP, BARE], outputs={"chart": SAID}), ["select", "plot_bar"]),
    ],
)
def test_a_plan_has_the_steps_that_are_required_and_no_other(meaning: Meaning, tools: list[str]) -> None:
    assert tools_of(meaning) == tools


@each(
    "meaning, missing",
    [
        (Meaning([CITY, SHOP], outputs={"chart": SAID}), "outputs=[chart]"),
        (Meaning([CITY], chart="bar"), "constraints=[chart = bar]"),
        (Meaning([PRICE], {"city": SAID}, chart="heatmap"), "constraints=[chart = heatmap]"),
        (
            Meaning([PRICE], {"city": SAID, "shop": SAID}, time=("date", "month"), outputs={"chart": SAID}),
            "outputs=[chart]",
        ),
        (Meaning([CITY, BARE], labels={"correlation": SAID}), "analysis=[correlation]"),
    ],
)
def test_what_no_tool_can_do_well_is_missing_and_not_done_badly(meaning: Meaning, missing: str) -> None:
    """Charts of texts alone or without a colour, and a third group in a chart."""
    reading = reading_of(meaning)
    coverage = plan_make(reading, template_choose(reading), shipped()).coverage
    assert missing in coverage.message


def test_a_forecast_is_of_each_group_and_drawn_in_its_colour() -> None:
    plan = plan_of(Meaning([PRICE], {"city": SAID}, time=("date", "month"), labels={"forecast": SAID}))
    params = {step.tool: step.params for step in plan.steps}
    assert params["forecast_naive"]["group_by"] == ["city"]
    assert params["plot_line"]["color"] == "city"


def test_the_number_of_a_row_is_drawn_over_its_first_text_and_coloured_by_the_second() -> None:
    bar = plan_of(Meaning([BARE, CITY, SHOP], outputs={"chart": SAID})).steps[-1]
    assert bar.params == {"x": "city", "y": "price", "color": "shop"}


@each(
    "beside, metrics, left",
    [
        (Figure("price", "sum"), ["price", "units"], "price"),
        (Figure("price", "mean"), ["price", "units", "price"], "sum_price"),
    ],
)
def test_a_ratio_of_sums_beside_another_figure_of_the_same_column_takes_the_sums(
    beside: Figure, metrics: list[str], left: str
) -> None:
    ratio = Expression(operator="divide", left="price", right="units")
    params = {step.tool: step.params for step in plan_of(Meaning([Figure(None, "sum", ratio), beside])).steps}
    assert params["aggregate"]["metrics"] == metrics
    assert (params["derive"]["left"], params["derive"]["right"]) == (left, "units")


@each(
    "changes, keys",
    [
        ({"filters": [Filter(column="price", op=">", value={"column": "limit"})]}, ("constraints=price > limit",)),
        ({"direction": "desc", "order_by": "limit"}, ("constraints=order = limit desc",)),
        ({"groups": {"limit": SAID}, "figures": [PRICE]}, ("group_by=limit",)),
        ({"listed": ["limit"]}, ("metrics=price",)),
    ],
)
def test_a_table_is_joined_for_whatever_its_columns_serve(changes: dict[str, Any], keys: tuple[str, ...]) -> None:
    reading = reading_of(Meaning(**{"figures": [BARE], **changes}))
    join = Join(table="shops", key="shop", other_key="shop", columns=("limit",))
    reading = reading.model_copy(update={"details": reading.details.model_copy(update={"joins": (join,)})})
    made = plan_make(reading, template_choose(reading), shipped(), tables=2)
    assert made.coverage.valid, made.coverage.message
    assert (made.plan.steps[0].tool, made.plan.steps[0].requirement) == ("join", keys)


def test_every_step_says_why_in_the_words_of_the_question() -> None:
    meaning = Meaning([Figure("price", "sum", reason=Reason("revenue"))], {"city": Reason("by town")})
    aggregate = plan_of(meaning).steps[0]
    assert aggregate.rationale == "The question says: “revenue”, “by town”"
    assert aggregate.requirement[:2] == ("metrics=price", "group_by=city")


def test_a_step_that_no_words_ask_for_names_its_requirements() -> None:
    assert plan_of(Meaning([PRICE], {"city": Reason()})).steps[0].rationale == "For price, city"


def test_reasons_are_in_the_language_of_the_person() -> None:
    with override("es"):
        (step,) = plan_of(Meaning([Figure("price", "sum", reason=Reason("ingresos"))])).steps
    assert "ingresos" in step.rationale


def test_the_ratio_of_sums_is_made_after_the_sums_and_the_mean_of_ratios_before() -> None:
    ratio = Expression(operator="divide", left="price", right="units")
    assert tools_of(Meaning([Figure(None, "sum", ratio)], {"city": SAID})) == ["aggregate", "derive", "plot_bar"]
    assert tools_of(Meaning([Figure(None, "mean", ratio)], {"city": SAID})) == ["derive", "aggregate", "plot_bar"]


def test_a_computed_figure_that_is_counted_has_the_name_that_it_is_ordered_by() -> None:
    margin = Expression(operator="subtract", left="price", right="cost")
    steps = plan_of(Meaning([Figure(None, "count", margin)], {"city": SAID}, direction="desc")).steps
    params = {step.tool: step.params for step in steps}
    assert params["derive"]["name"] == "price - cost"
    assert params["aggregate"]["metrics"] == ["price - cost"]
    assert params["rank"]["by"] == "count_price - cost"


def test_conditions_on_figures_come_after_the_aggregate() -> None:
    meaning = Meaning([PRICE], {"city": SAID}, filters=[MADRID], having=[Filter(column="price", op=">", value=10)])
    assert tools_of(meaning)[:3] == ["filter", "aggregate", "filter"]


def test_the_part_of_a_share_is_no_filter() -> None:
    meaning = Meaning([Figure(None, "count")], filters=[MADRID], part=[MADRID], labels={"share": SAID})
    (step,) = plan_of(meaning).steps
    assert (step.tool, step.params["where"]) == ("share", [{"column": "city", "op": "=", "value": "Madrid"}])


def test_a_chart_of_a_share_has_its_names_beside_it() -> None:
    meaning = Meaning([CITY, BARE], labels={"share": SAID}, outputs={"chart": SAID})
    pie = next(step for step in plan_of(meaning).steps if step.tool.startswith("plot"))
    assert pie.params["x"] == "city"


def test_steps_of_the_template_that_nothing_requires_are_removed_and_the_others_changed_in_place() -> None:
    reading = reading_of(Meaning([PRICE], time=("date", "month")))
    template = template_plan(template_choose(reading))
    changes = changes_by_rules(reading, template, shipped())
    assert [(change.action, change.tool) for change in changes] == [
        ("modify", "parse_datetime"),
        ("modify", "aggregate"),
        ("modify", "plot_line"),
    ]
    other = reading_of(Meaning([BARE, CITY], labels={"list": SAID}))
    changes = changes_by_rules(other, template, shipped())
    assert [(change.action, change.tool) for change in changes] == [
        ("remove", "plot_line"),
        ("remove", "aggregate"),
        ("remove", "parse_datetime"),
        ("add", "select"),
    ]
