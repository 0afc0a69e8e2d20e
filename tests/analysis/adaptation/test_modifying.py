"""Modifications of a plan: the faults of each kind, and what an applied one changes."""

import pydantic
import pytest

from analysis.adaptation.modifying import STEPS_AT_MOST, modification_apply, modification_fault
from analysis.contracts.plans import AnalysisPlan, Modification
from tests.analysis.plans import plan, shipped, step
from tests.each import each

PLAN = plan(step("aggregate", "metrics=a", metrics=["a"]), step("plot_bar", "outputs=chart", x="b", y="a"))
TWICE = plan(step("filter", "constraints=a = 1"), step("filter", "constraints=b = 2"))


def change(action: str, tool: str, **others: object) -> Modification:
    return Modification.model_validate({"action": action, "tool": tool, **others})


def applied(made: Modification, to: AnalysisPlan = PLAN) -> AnalysisPlan:
    assert modification_fault(made, to, shipped()) == ""
    return modification_apply(made, to, shipped())


@each(
    "made, to, fault",
    [
        (change("remove", "histogram"), PLAN, "There is no step of histogram to remove."),
        (change("remove", "plot_bar", step=1), PLAN, "There is no step of plot_bar to remove."),
        (change("remove", "filter"), TWICE, "There is no step of filter to remove."),
        (change("remove", "plot_bar", step=0), PLAN, "There is no step of plot_bar to remove."),
        (change("modify", "histogram"), PLAN, "There is no step of histogram to change."),
        (change("modify", "filter"), TWICE, "There is no step of filter to change."),
        (change("modify", "aggregate", step=-1), PLAN, "There is no step of aggregate to change."),
        (
            change("modify", "aggregate", params={"by": "a"}),
            PLAN,
            "aggregate does not take by; it takes: group_by, agg_func, metrics.",
        ),
        (change("add", "aggregat", requirement="metrics=a"), PLAN, "aggregat is not among the tools that may be used."),
        (change("modify", "no_tool"), PLAN, "no_tool is not among the tools that may be used."),
        (change("add", "table"), PLAN, "A step of table must name the requirement that it serves."),
        (
            change("add", "table", params={"z": 1, "b": 2}, requirement="outputs=table"),
            PLAN,
            "table does not take b, z; it takes: columns.",
        ),
        (
            change("add", "table", requirement="outputs=table"),
            plan(*[step("table", "outputs=table")] * STEPS_AT_MOST),
            f"A plan has at most {STEPS_AT_MOST} steps.",
        ),
    ],
)
def test_a_change_that_cannot_be_applied_is_told_why(made: Modification, to: AnalysisPlan, fault: str) -> None:
    assert modification_fault(made, to, shipped()) == fault


@each(
    "values",
    [
        {"action": "replace", "tool": "filter"},
        {"action": "add"},
        {"action": "add", "tool": "filter", "why": "because"},
        {"action": "add", "tool": "filter", "params": "where"},
    ],
)
def test_what_is_no_modification_is_refused(values: dict[str, object]) -> None:
    with pytest.raises(pydantic.ValidationError):
        Modification.model_validate(values)


def test_a_step_is_removed_by_its_tool_or_by_its_place() -> None:
    assert [left.tool for left in applied(change("remove", "plot_bar")).steps] == ["aggregate"]
    assert applied(change("remove", "filter", step=1), TWICE).steps == TWICE.steps[1:]


def test_a_step_that_the_tools_no_longer_have_can_be_removed() -> None:
    old = plan(step("gone_tool", "metrics=a"))
    assert applied(change("remove", "gone_tool"), old).steps == ()


def test_a_modified_step_keeps_what_is_not_named() -> None:
    made = applied(change("modify", "aggregate", params={"metrics": ["b"]}, rationale="because"))
    assert made.steps[0].params == {"metrics": ["b"]}
    assert made.steps[0].requirement == ("metrics=a",)
    assert made.steps[0].rationale == "because"
    again = applied(change("modify", "aggregate", requirement="metrics=b"), made)
    assert (again.steps[0].params, again.steps[0].rationale) == ({"metrics": ["b"]}, "because")
    assert again.steps[0].requirement == ("metrics=b",)


@each(
    "tool, place",
    [("filter", 0), ("parse_datetime", 0), ("rank", 1), ("detect_anomalies", 1), ("plot_line", 2), ("table", 2)],
)
def test_an_added_step_comes_where_its_kind_belongs(tool: str, place: int) -> None:
    steps = applied(change("add", tool, requirement="metrics=a")).steps
    assert [at for at, made in enumerate(steps) if made.tool == tool] == [place]


@each("number, place", [(1, 0), (2, 1), (3, 2), (99, 2), (-5, 0)])
def test_an_added_step_comes_at_the_place_that_is_named(number: int, place: int) -> None:
    assert applied(change("add", "table", requirement="outputs=table", step=number)).steps[place].tool == "table"


def test_the_plan_itself_stays_as_it_is() -> None:
    before = PLAN.model_dump_json()
    applied(change("remove", "aggregate"))
    assert PLAN.model_dump_json() == before
