"""The check of a plan: each documented fault in a plan made to have it, and what is said of it."""

from typing import Any

from analysis.contracts.plans import AnalysisPlan, Coverage, Step
from analysis.contracts.requirements import Requirements
from analysis.coverage.checking import coverage_check
from tests.analysis.plans import plan, required, shipped, step
from tests.each import each

REVENUE = required(metrics=["revenue"], group_by=["region"])
TREND = required(metrics=["revenue"], time={"column": "date", "grain": "month"}, analysis=["trend"])
AGGREGATE = step(
    "aggregate", "metrics=revenue", "group_by=region", group_by=["region"], agg_func="sum", metrics=["revenue"]
)
BY_MONTH = step("aggregate", "metrics=revenue", "time=date", group_by=["date"], agg_func="sum", metrics=["revenue"])
DATES = step("parse_datetime", "time=date", "analysis=trend", column="date", grain="month")
LINE = step("plot_line", "analysis=trend", "time=date", x="date", y="revenue")


def check(requirements: Requirements, *steps: Step, tables: int = 1) -> Coverage:
    return coverage_check(requirements, plan(*steps), shipped(), tables=tables)


def test_a_plan_that_serves_everything_is_valid() -> None:
    assert check(REVENUE, AGGREGATE) == Coverage(valid=True, rate=1.0)
    assert check(TREND, DATES, BY_MONTH, LINE) == Coverage(valid=True, rate=1.0)


def test_the_message_has_the_documented_lines() -> None:
    requirements = required(metrics=["revenue"], group_by=["region", "product_category"])
    total = step("aggregate", "metrics=revenue", agg_func="sum", metrics=["revenue"])
    coverage = check(requirements, total, step("detect_anomalies", "metrics=cost", metric="cost"))
    assert coverage.message == (
        "Missing coverage: group_by=[region, product_category]\nRemove unjustified steps: detect_anomalies"
    )
    assert coverage.missing == {"group_by": ("region", "product_category")}
    assert coverage.unjustified == ("detect_anomalies",)
    assert coverage.rate == 1 / 3
    assert not coverage.valid


def test_fields_that_are_missing_stand_in_one_line() -> None:
    coverage = check(required(metrics=["a"], analysis=["trend"], outputs=["chart"]))
    assert coverage.message == "Missing coverage: metrics=[a], analysis=[trend], outputs=[chart]"
    assert (coverage.rate, coverage.unjustified) == (0.0, ())


@each(
    "requirements, missing",
    [
        ({"metrics": ["revenue"]}, {"metrics": ("revenue",)}),
        ({"group_by": ["region"]}, {"group_by": ("region",)}),
        ({"time": {"column": "date", "grain": "unknown"}}, {"time": ("date",)}),
        ({"time": {"column": "unknown", "grain": "month"}}, {"time": ("unknown",)}),
        ({"analysis": ["share"]}, {"analysis": ("share",)}),
        ({"outputs": ["table"]}, {"outputs": ("table",)}),
        ({"constraints": ["city = Madrid"]}, {"constraints": ("city = Madrid",)}),
    ],
)
def test_a_requirement_without_a_step_is_missing(
    requirements: dict[str, Any], missing: dict[str, tuple[str, ...]]
) -> None:
    coverage = check(required(**requirements))
    assert (coverage.valid, coverage.rate, coverage.missing) == (False, 0.0, missing)


def test_a_requirement_is_served_by_a_step_that_cites_it_alone() -> None:
    silent = AGGREGATE.model_copy(update={"requirement": ("metrics=revenue",)})
    assert check(REVENUE, silent).missing == {"group_by": ("region",)}


def test_a_requirement_is_not_served_by_a_step_that_cites_it_and_does_something_else() -> None:
    other = step("aggregate", "metrics=revenue", "group_by=region", group_by=["city"], agg_func="sum", metrics=["cost"])
    assert check(REVENUE, other).missing == {"metrics": ("revenue",), "group_by": ("region",)}


@each(
    "wrong",
    [
        step("detect_anomalies", metric="revenue"),
        step("histogram", "analysis=distribution", column="revenue"),
        step("detect_anomalies", "group_by=region", metric="revenue"),
        step("plot_bar", "group_by=region", x="product", y="revenue"),
        step("histogram", "group_by=region", column="region"),
        step("no_such_tool", "metrics=revenue", column="revenue"),
        step("plot_pie", "region", x="region", y="revenue"),
    ],
)
def test_a_step_without_a_requirement_that_it_serves_is_unjustified(wrong: Step) -> None:
    coverage = check(REVENUE, AGGREGATE, wrong)
    assert (coverage.valid, coverage.rate) == (False, 1.0)
    assert coverage.unjustified == (wrong.tool,)
    assert coverage.message == f"Remove unjustified steps: {wrong.tool}"


def test_what_only_prepares_is_justified_and_serves_nothing() -> None:
    requirements = required(metrics=["margin"], group_by=["region"])
    derive = step("derive", "metrics=margin", name="margin", operator="subtract", left="income", right="cost")
    coverage = check(requirements, derive, step("join", "group_by=region", table="shops", key="shop"), tables=2)
    assert coverage.unjustified == ()
    assert coverage.missing == {"group_by": ("region",)}


@each(
    "by, is_served",
    [
        (step("plot_bar", "group_by=region", x="region", y="revenue"), False),
        (step("parse_datetime", "group_by=region", column="region"), False),
        (step("derive", "group_by=region", name="region", operator="add", left="a", right="b"), False),
        (step("segment", "group_by=region", column="region"), True),
        (step("segment", "group_by=region", column="city"), False),
        (step("compute_summary_stats", "group_by=region", metrics=["revenue"], group_by=["region"]), True),
    ],
)
def test_groups_are_served_by_aggregate_and_segment(by: Step, is_served: bool) -> None:
    assert ("group_by" not in check(required(group_by=["region"]), by).missing) is is_served


@each(
    "by, missing",
    [
        (step("plot_bar", "analysis=trend", "time=date", x="date", y="revenue"), {"time", "analysis"}),
        (
            step("aggregate", "analysis=trend", "time=date", group_by=["date"], metrics=["revenue"]),
            {"time", "analysis"},
        ),
        (step("plot_line", "analysis=trend", "time=date", x="date", y="revenue"), set()),
        (step("plot_line", "analysis=trend", "time=date", x="week", y="revenue"), {"time"}),
        (step("parse_datetime", "analysis=trend", "time=date", column="date"), set()),
        (step("detect_trend", "analysis=trend", "time=date", time="date", metric="revenue"), set()),
        (step("forecast_naive", "analysis=trend", "time=date", time="date", metric="revenue"), {"analysis"}),
    ],
)
def test_time_and_trend_are_served_by_time_based_plots_and_features(by: Step, missing: set[str]) -> None:
    requirements = required(time={"column": "date", "grain": "month"}, analysis=["trend"])
    first = step("aggregate", "time=date", group_by=["date"], metrics=["revenue"])
    assert set(check(requirements, first, by).missing) == missing


@each("requirements", [required(group_by=["region"]), required(time={"column": "region", "grain": "month"})])
def test_a_plot_of_groups_or_of_time_comes_after_an_aggregate_or_a_segment(requirements: Requirements) -> None:
    (key,) = requirements.keys()
    line = step("plot_line", key, x="region", y="revenue", color="region")
    dates = step("parse_datetime", key, column="region")
    for before in (
        step("aggregate", key, group_by=["region"], agg_func="sum", metrics=["revenue"]),
        step("segment", key, column="region"),
    ):
        early = check(requirements, dates, line, before).missing["aggregation_before_plot"]
        assert early == ("plot_line",)
        assert "aggregation_before_plot" not in check(requirements, dates, before, line).missing


def test_a_total_makes_no_groups_for_a_plot_of_them() -> None:
    total = step("aggregate", "metrics=revenue", agg_func="sum", metrics=["revenue"])
    segment = step("segment", "group_by=region", column="region")
    bar = step("plot_bar", "metrics=revenue", x="product", y="revenue")
    assert check(REVENUE, total, bar, segment).missing["aggregation_before_plot"] == ("plot_bar",)


def test_a_time_that_is_cut_to_other_periods_than_asked_is_missing() -> None:
    years = step("parse_datetime", "time=date", "analysis=trend", column="date", grain="year")
    assert check(TREND, years, BY_MONTH, LINE).missing == {"time": ("date",)}
    unknown = required(metrics=["revenue"], time={"column": "date", "grain": "unknown"}, analysis=["trend"])
    assert check(unknown, years, BY_MONTH, LINE).valid


@each("capability", ["forecast_naive", "detect_trend"])
def test_groups_that_a_series_leaves_out_are_missing(capability: str) -> None:
    requirements = required(metrics=["revenue"], group_by=["region"], time={"column": "date", "grain": "month"})
    grouped = step(
        "aggregate", "metrics=revenue", "group_by=region", group_by=["date", "region"], agg_func="sum",
        metrics=["revenue"],
    )  # fmt: skip
    dates = step("parse_datetime", "time=date", column="date", grain="month")
    series = step(capability, "time=date", time="date", metric="revenue")
    assert check(requirements, dates, grouped).valid
    assert check(requirements, dates, grouped, series).missing == {"group_by": ("region",)}


def test_a_metric_that_is_named_twice_counts_once() -> None:
    requirements = required(metrics=["revenue", "revenue"], group_by=["region"])
    assert check(requirements, AGGREGATE) == Coverage(valid=True, rate=1.0)


def test_every_plot_that_comes_too_early_is_named_and_the_message_says_why() -> None:
    early = [
        step("plot_line", "metrics=revenue", x="region", y="revenue"),
        step("plot_bar", "metrics=revenue", y="revenue"),
    ]
    coverage = check(REVENUE, *early, AGGREGATE)
    assert coverage.message == "Missing coverage: aggregation_before_plot=[plot_line, plot_bar]"
    assert (coverage.valid, coverage.rate) == (False, 1.0)


def test_a_plot_without_groups_and_time_needs_no_aggregate() -> None:
    requirements = required(metrics=["age", "score"], analysis=["correlation"])
    scatter = step("plot_scatter", "analysis=correlation", "metrics=age", "metrics=score", x="age", y="score")
    assert check(requirements, scatter).valid


def test_the_inputs_of_a_step_are_there_before_it() -> None:
    join = step("join", "metrics=revenue", table="shops", key="shop")
    assert check(REVENUE, join, AGGREGATE, tables=1).message == "Missing coverage: inputs=[join.df]"
    assert check(REVENUE, join, AGGREGATE, tables=2).valid


def test_a_step_that_needs_a_chart_comes_after_one_that_gives_it() -> None:
    frame = shipped()["plot_bar"].model_copy(update={"name": "frame_chart", "inputs": ("chart",)})
    tools = {**shipped(), "frame_chart": frame}
    bar = step("plot_bar", "group_by=region", x="region", y="revenue")
    around = step("frame_chart", "group_by=region", x="region")
    right, wrong = (plan(AGGREGATE, *steps) for steps in ((bar, around), (around, bar)))
    assert coverage_check(REVENUE, right, tools).valid
    assert coverage_check(REVENUE, wrong, tools).missing == {"inputs": ("frame_chart.chart",)}


def test_nothing_required_is_served_by_nothing_and_justifies_nothing() -> None:
    assert check(required()) == Coverage(valid=True, rate=1.0)
    assert check(required(), AGGREGATE).unjustified == ("aggregate",)


def test_the_other_name_of_a_tool_is_as_good() -> None:
    summary = step("summary_stats", "metrics=revenue", "group_by=region", metrics=["revenue"], group_by=["region"])
    assert check(REVENUE, summary).valid


def test_the_same_plan_gets_the_same_check_and_stays_as_it_is() -> None:
    made: AnalysisPlan = plan(LINE, AGGREGATE, step("histogram", column="revenue"))
    before = made.model_dump_json()
    assert coverage_check(TREND, made, shipped()) == coverage_check(TREND, made, shipped())
    assert made.model_dump_json() == before
