"""One reflection on one page for staff: what is to be decided, and everything that it is decided by."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from evaluation.layer import EvaluationLayer
from memory.models import Episode, StrategyAdjustment
from memory.services import episodes_forget
from planning.selectors import plan_of
from reflection.contracts import Author, PatternFound, PatternState
from reflection.services import reflection_approve, reflection_edit, reflection_reject
from tests.gateway.admin_pages import HOSTILE, assert_escaped, messages_of, text_of
from tests.lesson_engine.learn.pages import Node, Page
from tests.reflection.conftest import GOOD
from tests.reflection.past_made import QUALITY
from tests.reflection.patterns_made import remember
from tests.reflection.reflections_made import plan_make, reflections_make, tried
from tests.reflection.reviews_made import DEEP, SHALLOW, SPECIFIC, attempt, held_back, page_of, url_of, waiting

LIST = "admin:reflection_reflection_changelist"


def cells(row: Node) -> list[str]:
    return [cell.text() for cell in row.nodes if cell.tag in ("th", "td")]


def rows_of(table: Node) -> list[list[str]]:
    return [cells(row) for row in table.one("tbody").find("tr")]


def test_the_page_begins_with_what_is_to_be_decided(desk: Client, learner: User) -> None:
    row, other = waiting(learner), waiting(learner, task="Book hotel in Rome")
    page = page_of(desk, row)
    decision = page.tree.one("section", class_="rf-decision")
    assert decision.text().startswith("It waits for your review The gate let it through with warnings")
    assert "It falls short in: Actionability" in decision.text()
    links = {link.text(): link.attrs["href"] for link in decision.find("a")}
    for name in ("approve", "edit", "reject"):
        assert links[f"{name.title()}…"] == f"{url_of(row, name)}?seen=1", "they name the attempt that was looked at"
    assert links["Next that waits: Book hotel in Rome"] == url_of(other)
    reflection_approve(reflection_id=other.pk, by=learner, reason="Right.")
    decided = page_of(desk, other).tree.one("section", class_="rf-decision").text()
    assert decided.startswith("It is in force It is remembered, and what it adjusts holds for ana.")
    assert "Approve…" not in decided
    assert "Next that waits: Book hotel in Paris" in decided


def test_the_failure_and_the_plan_stand_beside_it(desk: Client, learner: User) -> None:
    row = waiting(learner)
    page = page_of(desk, row)
    quality, confirmed, price = rows_of(page.tree.one("table", class_="rf-checks"))
    assert quality == [
        *("Hotel quality >= 7", "not met Quality below threshold (5 < 7)", "5 hotel_selected.quality", ">= 7")
    ]
    assert confirmed[:2] == ["User confirms", "not met User rejected"]
    assert price[1] == "met", "what was met comes last"
    plan = page.tree.one("section", aria_labelledby="plan-title")
    assert "Priority price" in plan.text()
    assert plan.find("a")[0].attrs["href"] == reverse("admin:planning_plan_change", args=[row.evaluation.plan_id])
    assert [step.text() for step in plan.one("ol").find("li")][-1] == "Confirm with user"


def test_every_attempt_has_its_metrics_and_violations_and_the_best_one_counts(desk: Client, learner: User) -> None:
    attempts = (attempt(Author.MODEL, **SHALLOW), attempt())
    row = held_back(learner, *attempts, cost=1_500_000, fallback="NoSense: not JSON")
    page = page_of(desk, row)
    assert page.tree.one(id="kept-title").text() == "The attempt that counts: 2 of 2"
    kept, other = page.tree.find(class_="rf-attempt")
    assert kept.text().startswith("Written by rules")
    assert DEEP["analysis"] in kept.text()
    metrics = {one[0]: one[1:] for one in rows_of(kept.one("table", class_="rf-metrics"))}
    assert list(metrics) == [
        *("Completeness", "Depth", "Actionability", "Validity of patterns", "Relevance to the task", "Novelty")
    ]
    assert metrics["Actionability"] == ["0.40", "0.80", "not met"]
    assert metrics["Depth"][2] == "met"
    assert metrics["Validity of patterns"] == ["–", "0.75", "left out"]
    assert "Not actionable: 0.40 < 0.8" in kept.text()
    assert other.tag == "details"
    assert other.one("summary").text().startswith("Attempt 1 o3-mini rejected quality 0.")
    assert "Shallow reflection" in other.text()
    facts = page.tree.one("section", class_="rf-decision").one("dl", class_="rf-facts").text()
    assert "Cost 1.5 ¢" in facts
    assert "Why no model was followed NoSense: not JSON" in facts


def test_a_value_is_never_rounded_to_the_standard_that_it_misses(desk: Client, learner: User) -> None:
    near = {"completeness": 0.8999, "depth_score": 0.69996, "actionability_score": 0.8}
    [row] = reflections_make(plan_make(learner), [tried(0.7, "accepted_with_warnings", metrics=near)])
    metrics = rows_of(page_of(desk, row).tree.one("table", class_="rf-metrics"))
    assert metrics[:3] == [
        ["Completeness", "0.8999", "0.90", "not met"],
        ["Depth", "0.69996", "0.70", "not met"],
        ["Actionability", "0.80", "0.80", "met"],
    ]


def test_adjustments_are_a_diff_of_the_strategy_that_failed(desk: Client, learner: User) -> None:
    others = ["Add constraint: price <= 150", "Remove the kitchen sink", "Increase the threshold by 0.1", "Try harder"]
    row = held_back(learner, attempt(strategy_adjustments=[*SPECIFIC, *others]))
    shown = [node.text() for node in page_of(desk, row).tree.find("li", class_="rf-adjustment")]
    assert shown[0].startswith("Change priority from price to quality can be executed")
    assert "Priority taken out: price → put in: quality" in shown[0]
    assert "Condition + put in: quality >= 7" in shown[1]
    assert "Step + put in:" in shown[1], "the steps follow"
    assert "Condition + put in: price <= 150" in shown[2]
    assert "it would have changed nothing. It asks for: Step − taken out: kitchen sink" in shown[3]
    assert "Increase the threshold by 0.1 cannot be executed There is no setting threshold." in shown[4]
    assert "Try harder cannot be executed It is none of the known forms" in shown[5]


def test_what_an_adjustment_has_become_is_told_with_the_way_to_it(desk: Client, learner: User, staff: User) -> None:
    row = held_back(learner, attempt(strategy_adjustments=SPECIFIC))
    assert row.in_force
    first = page_of(desk, row).tree.find("li", class_="rf-adjustment")[0].one("a")
    stored = StrategyAdjustment.objects.get(setting="priority")
    assert first.text() == "in force"
    assert first.attrs["href"] == reverse("admin:memory_strategyadjustment_change", args=[stored.pk])
    after = waiting(learner, task="Book hotel in Rome")
    plan = page_of(desk, after).tree.one("section", aria_labelledby="plan-title")
    assert url_of(row) in [link.attrs["href"] for link in plan.find("a")], "a plan says which reflections shaped it"
    reflection_reject(reflection_id=row.pk, by=staff, reason="No.")
    assert page_of(desk, row).tree.find("li", class_="rf-adjustment")[0].one("a").text() == "withdrawn"


def test_what_was_approved_again_shows_what_it_set_last(desk: Client, learner: User, staff: User) -> None:
    row = waiting(learner)
    for decide, said in (
        (reflection_approve, "in force"),
        (reflection_reject, "withdrawn"),
        (reflection_approve, "in force"),
        (reflection_reject, "withdrawn"),
    ):
        decide(reflection_id=row.pk, by=staff, reason="I looked.")
        assert page_of(desk, row).tree.find("li", class_="rf-adjustment")[0].one("a").text() == said
    reflection_edit(reflection_id=row.pk, by=staff, reason="Better.", adjustments=SPECIFIC, patterns=[], **DEEP)
    shown = page_of(desk, row).tree.one("section", aria_labelledby="kept-title").find("li", class_="rf-adjustment")
    assert [one.one("a").text() for one in shown] == ["in force", "in force"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({}, "It was let through, but another result of the same plan has taken the place of this failure."),
        (SHALLOW, "Another result of the plan counts, so this one is of no use any more."),
    ],
    ids=["held back", "refused"],
)
def test_nothing_is_to_be_decided_once_another_result_of_the_plan_counts(
    desk: Client, learner: User, words: dict[str, Any], said: str
) -> None:
    row = held_back(learner, attempt(**words))
    EvaluationLayer().evaluate_result(plan_of(row.evaluation.plan), GOOD, latest=True)
    decision = page_of(desk, row).tree.one("section", class_="rf-decision")
    assert decision.text().startswith(f"It changes nothing {said}")
    assert not decision.find("a", class_="button")
    for page in ("approve", "reject"):
        refused = desk.post(url_of(row, page), {"reason": "Too late.", "seen": "2"})
        assert refused.status_code == 409
        assert "Another result of the plan counts" in Page(refused).words


def test_patterns_have_their_figures_and_the_episodes_behind_them(desk: Client, learner: User) -> None:
    remember(learner, 6, QUALITY, at=timezone.now())
    remember(learner, 1, ("Hotel quality >= 7", True), at=timezone.now() - timedelta(minutes=1))
    shows = [str(one.pk) for one in Episode.objects.filter(outcome="failure").order_by("-created_at")]
    found = PatternFound(
        text="Budget first ends badly",
        condition=("priority=price",),
        outcome="fails:quality >= 7",
        support=7, contrary=1, total=8, confidence=0.875, lower_bound=0.529, state=PatternState.ESTABLISHED,
        episodes=tuple(shows), contrary_episodes=(str(Episode.objects.get(outcome="success").pk), "e7"),
    )  # fmt: skip
    adjusting = attempt(strategy_adjustments=SPECIFIC, patterns_identified=[found.text, "It always rains"])
    row = held_back(learner, adjusting, patterns=[found])
    counted, said = page_of(desk, row).tree.find("article", class_="rf-pattern")
    text = counted.text()
    assert text.startswith("Budget first ends badly established Seen in 7 of 8 episodes Confidence 0.88")
    assert "Lower bound at 95 % 0.53 Contrary 1" in text
    assert "When priority=price then fails:quality >= 7" in text
    assert "This failure is one of them." in text
    assert "3 more episodes" in text
    assert "1 episode is gone: it has expired, or was forgotten." in text
    links = [link.attrs["href"] for link in counted.find("a")]
    assert links[0] == reverse("admin:memory_episode_change", args=[shows[0]])
    assert len(links) == 7
    assert "Known by its words alone" in said.text()
    assert "firm: from an established pattern" in page_of(desk, row).words
    episodes_forget(user=learner)
    assert "6 episodes are gone: they have expired, or were forgotten." in page_of(desk, row).words


def test_failures_that_were_never_learned_from_stand_behind_patterns_too(desk: Client, learner: User) -> None:
    towns = ("Paris", "Rome", "Lima")
    first, second, third = (waiting(learner, task=f"Book hotel in {town}") for town in towns)
    pattern = page_of(desk, third).tree.find("article", class_="rf-pattern")[0]
    assert "Seen in 3 of 3 episodes" in pattern.text()
    assert [link.attrs["href"] for link in pattern.find("a")] == [url_of(second), url_of(first)]
    assert "failure, of which no reflection is in force Book hotel in Rome" in pattern.text()


def test_episodes_of_somebody_else_are_never_shown(desk: Client, learner: User, stranger: User) -> None:
    remember(stranger, 3, QUALITY)
    ids = tuple(str(one.pk) for one in Episode.objects.filter(user=stranger))
    found = PatternFound(text="Not theirs", support=4, total=4, confidence=1, episodes=ids)
    row = held_back(learner, attempt(patterns_identified=[found.text]), patterns=[found])
    assert "3 episodes are gone" in page_of(desk, row).words


def test_who_did_what_and_why_stays_on_the_page(desk: Client, learner: User, staff: User) -> None:
    row = waiting(learner)
    reflection_approve(reflection_id=row.pk, by=staff, reason="The cause is right.")
    reflection_reject(reflection_id=row.pk, by=staff, reason="On second thoughts:\nit is not.")
    reflection_edit(reflection_id=row.pk, by=staff, reason="Now it is.", adjustments=SPECIFIC, patterns=[], **DEEP)
    made, *reviews = [one.text() for one in page_of(desk, row).tree.one("ol", class_="rf-trail").find("li")]
    assert "The failure was reflected on. The gate: accepted with warnings." in made
    said = [one.partition("m. ")[2] for one in reviews]
    assert said == [
        "carla : approved, attempt 1 The cause is right.",
        "carla : rejected, attempt 1 On second thoughts: it is not.",
        "carla : edited and approved, attempt 2 Now it is.",
    ]
    kept = page_of(desk, row).tree.find(class_="rf-attempt")[0]
    assert kept.text().startswith("Written by carla")


def test_for_somebody_unknown_here_a_decision_goes_on_record_alone(desk: Client) -> None:
    row = waiting("user_123")
    assert "user_123" in page_of(desk, row).words
    asked = text_of(desk.get(url_of(row, "approve")))
    assert "your decision goes on record, and changes nothing" in asked
    done = desk.post(url_of(row, "approve"), {"reason": "Right.", "seen": "1"}, follow=True)
    assert messages_of(done) == ["It is on record. It changes nothing: nobody known here is behind the plan."]
    assert "It changes nothing Nobody known here is behind the plan" in text_of(done)


def test_hostile_text_is_text_on_every_page(desk: Client, learner: User, staff: User) -> None:
    words: dict[str, Any] = {"analysis": f"{DEEP['analysis']} {HOSTILE}", "learning": f"{DEEP['learning']} {HOSTILE}"}
    hostile = attempt(
        **words, strategy_adjustments=[f"Add constraint: name == {HOSTILE}", HOSTILE], patterns_identified=[HOSTILE]
    )
    result = {"hotel_selected": {"quality": 5}, HOSTILE: HOSTILE, "user_feedback": f"rejected {HOSTILE}"}
    row = held_back(learner, hostile, task=f"Book hotel in Paris {HOSTILE}", result=result, fallback=HOSTILE)
    reflection_reject(reflection_id=row.pk, by=staff, reason=HOSTILE)
    for page in ("change", "approve", "reject", "edit"):
        assert_escaped(desk.get(url_of(row, page)))
    values = {**words, "adjustments": HOSTILE, "patterns": HOSTILE, "reason": HOSTILE, "seen": "1", "look": "1"}
    assert_escaped(desk.post(url_of(row, "edit"), values))
    assert_escaped(desk.post(url_of(row, "approve"), {"reason": HOSTILE, "seen": "7"}))
    shown = desk.get(reverse(LIST), {"review": "all"}).content.decode()
    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert" in shown


def test_huge_words_do_not_make_a_huge_page(desk: Client, learner: User) -> None:
    many = [f"Add constraint: x{n} >= 7" for n in range(300)]
    huge = attempt(analysis="because " * 50_000, strategy_adjustments=many)
    page = page_of(desk, held_back(learner, huge, attempt()))
    assert len(page.html) < 600_000
