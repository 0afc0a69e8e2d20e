"""Proposals from outside: what they are told, how often they are asked, and that they never make a plan worse."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import pytest

from analysis.adaptation.planning import ATTEMPTS, Planned, plan_make
from analysis.adaptation.proposing import changes_by_rules
from analysis.contracts.plans import AnalysisPlan, Modification, Tool
from analysis.contracts.requirements import Reading
from analysis.requirements.meaning import Figure, Meaning, Reason, reading_of
from analysis.templates.choosing import template_choose, template_plan
from tests.analysis.adaptation.meanings import meaning_at_random, meaning_settle
from tests.analysis.plans import shipped

ANOMALIES = Modification(
    action="add", tool="detect_anomalies", params={"metric": "price"}, requirement=("metrics=cost",)
)
REMOVAL = Modification(action="remove", tool="detect_anomalies")


@pytest.fixture
def reading() -> Reading:
    """Price by city."""
    return reading_of(Meaning(figures=[Figure("price", "sum")], groups={"city": Reason()}))


class Proposes:
    """Gives these proposals one after another, the last one again and again, and keeps what it was told."""

    def __init__(self, *proposals: Sequence[Modification]) -> None:
        self.proposals = list(proposals)
        self.told: list[str] = []
        self.plans: list[AnalysisPlan] = []
        self.offered: list[Mapping[str, Tool]] = []

    def __call__(
        self, reading: Reading, plan: AnalysisPlan, tools: Mapping[str, Tool], message: str
    ) -> Sequence[Modification]:
        self.told.append(message)
        self.plans.append(plan)
        self.offered.append(tools)
        return self.proposals[min(len(self.told), len(self.proposals)) - 1]


def made(reading: Reading, proposer: Proposes | None = None) -> Planned:
    return plan_make(reading, template_choose(reading), shipped(), proposer=proposer)


def right_changes(reading: Reading) -> list[Modification]:
    return changes_by_rules(reading, template_plan(template_choose(reading)), shipped())


def test_a_right_proposal_is_taken_at_once(reading: Reading) -> None:
    proposer = Proposes(right_changes(reading))
    plan = made(reading, proposer)
    assert (plan.coverage.valid, plan.attempts, proposer.told) == (True, 1, [""])
    assert plan.plan == made(reading).plan


def test_a_proposer_is_told_what_is_unjustified_and_mends_it(reading: Reading) -> None:
    proposer = Proposes([*right_changes(reading), ANOMALIES], [REMOVAL])
    plan = made(reading, proposer)
    assert proposer.told == ["", "Remove unjustified steps: detect_anomalies"]
    assert "detect_anomalies" in [step.tool for step in proposer.plans[1].steps]
    assert (plan.coverage.valid, plan.attempts) == (True, 2)
    assert (plan.first.unjustified, plan.first.rate) == (("detect_anomalies",), 1.0)
    assert plan.first_steps == len(plan.plan.steps) + 1


def test_a_proposer_is_told_what_is_missing(reading: Reading) -> None:
    proposer = Proposes([])
    made(reading, proposer)
    assert proposer.told[1].startswith("Missing coverage: metrics=[price], group_by=[city]")


def test_after_three_proposals_the_plan_of_the_rules_stands_with_the_check_of_the_first(reading: Reading) -> None:
    proposer = Proposes([ANOMALIES])
    plan = made(reading, proposer)
    assert len(proposer.told) == plan.attempts == ATTEMPTS == 3
    assert plan.plan == made(reading).plan
    assert plan.coverage.valid
    assert not plan.first.valid
    assert "detect_anomalies" in plan.first.unjustified


def test_a_requirement_that_no_tool_serves_is_missing_after_all(reading: Reading) -> None:
    tools = {name: tool for name, tool in shipped().items() if "group_by" not in tool.capabilities}
    plan = plan_make(reading, template_choose(reading), tools, proposer=Proposes([]))
    assert not plan.coverage.valid
    assert "city" in plan.coverage.missing["group_by"]
    assert plan.coverage.rate < 1


def test_without_a_proposer_rules_are_asked_once(reading: Reading) -> None:
    assert made(reading).attempts == 1


def tools(*names: str) -> dict[str, Tool]:
    return {name: shipped()[name] for name in names}


def offers_of(reading: Reading, proposer: Proposes | None, *wider: str) -> tuple[Planned, list[Mapping[str, Any]]]:
    """A plan from an aggregate alone, then from the wider tools, in a catalog that has all; and what was asked for."""
    asked: list[Mapping[str, Any]] = []

    def widen(missing: Mapping[str, Sequence[str]]) -> dict[str, Tool]:
        asked.append(missing)
        return tools("aggregate", *wider)

    plan = plan_make(
        reading, template_choose(reading), tools("aggregate"), proposer=proposer, catalog=shipped(), wider=widen
    )
    return plan, asked


@pytest.fixture
def monthly() -> Reading:
    """Price by month, as a chart."""
    return reading_of(Meaning([Figure("price", "sum")], time=("date", "month"), outputs={"chart": Reason()}))


def test_tools_are_made_wider_once_by_what_is_missing(monthly: Reading) -> None:
    plan, asked = offers_of(monthly, None, "parse_datetime", "plot_line")
    assert [step.tool for step in plan.plan.steps] == ["parse_datetime", "aggregate", "plot_line"]
    assert (plan.coverage.valid, plan.attempts, plan.first.valid) == (True, 2, False)
    assert asked == [{"time": ("date",), "outputs": ("chart",), "metrics": ("price",)}]
    assert plan.unretrieved == ("time=date", "outputs=chart", "metrics=price")


def test_what_is_done_better_with_another_tool_is_looked_for_though_nothing_is_missing(monthly: Reading) -> None:
    """A line serves the time by itself, of days though months are asked for."""
    narrow = tools("aggregate", "plot_line")
    plan = plan_make(monthly, template_choose(monthly), narrow, catalog=shipped())
    assert plan.first.valid
    assert [step.tool for step in plan.plan.steps] == ["parse_datetime", "aggregate", "plot_line"]


def test_the_third_plan_is_made_from_the_whole_catalog(monthly: Reading) -> None:
    plan, asked = offers_of(monthly, None)
    assert (plan.coverage.valid, plan.attempts, len(asked)) == (True, ATTEMPTS, 1)


def test_a_proposer_gets_wider_tools_once_and_after_three_proposals_the_rules_have_the_catalog(
    monthly: Reading,
) -> None:
    proposer = Proposes([])
    plan, asked = offers_of(monthly, proposer, "table")
    assert (len(proposer.told), plan.attempts, len(asked)) == (ATTEMPTS, ATTEMPTS, 1)
    assert [list(offered) for offered in proposer.offered] == [["aggregate"], *[["aggregate", "table"]] * 2]
    assert plan.coverage.valid


def test_nonsense_never_makes_a_plan_worse() -> None:
    random = Random(3)
    for _ in range(300):
        reading = reading_of(meaning_settle(meaning_at_random(random)))
        nonsense = Proposes(*([_nonsense(random, reading) for _ in range(random.randint(0, 6))] for _ in range(3)))
        plan = made(reading, nonsense)
        assert plan.coverage.valid
        assert plan.coverage.unjustified == ()
        assert all(step.tool in shipped() for step in plan.plan.steps)
        assert plan.attempts <= ATTEMPTS


def _nonsense(random: Random, reading: Reading) -> Modification:
    return Modification(
        action=random.choice(("add", "remove", "modify")),
        tool=random.choice([*shipped(), "rm", "", "aggregate; DROP TABLE x", "🏠"]),
        params=random.choice([None, {}, {"where": "x"}, {"group_by": [["deep"]]}, {"metric": None, "x": float("nan")}]),
        requirement=random.choice([(), ("metrics=nothing",), reading.requirements.keys(), ("=", "group_by")]),
        step=random.choice([None, None, -7, 0, 1, 3, 10**12]),
    )
