"""Columns that a step names and that an earlier step dropped: known before anything runs."""

from analysis.contracts.plans import Step
from analysis.coverage.chaining import columns_missing
from tests.analysis.plans import required, shipped, step
from tests.each import each

DATES = step("parse_datetime", column="date", grain="month")
BY_DATE = step("aggregate", group_by=["date"], agg_func="sum", metrics=["revenue"])
TOTAL = step("aggregate", agg_func="sum", metrics=["revenue"])
MEANS = step("aggregate", group_by=["city"], agg_func=["sum", "mean"], metrics=["revenue", "revenue"])
LINE = step("plot_line", x="date", y="revenue")
PART = [{"column": "city", "op": "=", "value": "Rome"}]


@each(
    "steps, missing",
    [
        ([DATES, BY_DATE, LINE], ()),
        ([DATES, TOTAL, LINE], ("plot_line.date",)),
        ([BY_DATE, step("filter", where=[{"column": "city", "op": "null"}])], ("filter.city",)),
        ([step("filter", where=PART), BY_DATE, step("rank", by="city", direction="asc")], ("rank.city",)),
        ([MEANS, step("rank", by="mean_revenue", direction="asc")], ()),
        ([MEANS, step("rank", by="revenue", direction="asc")], ("rank.revenue",)),
        ([step("select", columns=["city"]), step("rank", by="revenue", direction="asc")], ("rank.revenue",)),
        ([step("select", columns=["city"]), step("plot_bar", x="city", y="revenue")], ()),
        ([BY_DATE, step("share", metric="revenue"), step("rank", by="share", direction="asc")], ()),
        ([step("share", where=PART, group_by=["date"]), step("rank", by="revenue", direction="asc")],
         ("rank.revenue",)),
        ([step("correlate", x="revenue", y="units"), step("plot_scatter", x="revenue", y="units")], ()),
        ([step("correlate", x="revenue", y="units"), step("rank", by="units", direction="asc")], ("rank.units",)),
        ([step("compute_summary_stats", metrics=["revenue"], group_by=["city"]), LINE],
         ("plot_line.date", "plot_line.revenue")),
        ([BY_DATE, step("share", metric="revenue"),
          step("forecast_naive", time="date", metric="revenue"), step("rank", by="share", direction="asc")],
         ("rank.share",)),
        ([step("join", table="shops", key="shop", other_key="id"), step("rank", by="revenue", direction="asc")], ()),
    ],
)  # fmt: skip
def test_a_step_finds_its_columns_in_the_tables_before_it(steps: list[Step], missing: tuple[str, ...]) -> None:
    requirements = required(metrics=["revenue"], group_by=["city"], time={"column": "date", "grain": "month"})
    assert columns_missing(requirements, steps, shipped()) == missing


@each(
    "odd",
    [
        step("aggregate", group_by="date", agg_func=["sum", "mean"], metrics=["revenue"]),
        step("aggregate", group_by=[["date"]], agg_func=3, metrics={"a": None}),
        step("filter", where="city"),
        step("filter", where=[{"column": ["city"]}, 3]),
        step("no_such_tool", x=1),
    ],
)
def test_parameters_that_are_written_wrong_are_no_fault_of_the_chain(odd: Step) -> None:
    assert columns_missing(required(metrics=["revenue"]), [odd], shipped()) == ()
