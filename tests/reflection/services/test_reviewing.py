"""What staff do about reflections: what it changes, who answers for it, and two at once."""

import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from accounts.models import User
from evaluation.layer import EvaluationLayer
from memory.models import Episode, StrategyAdjustment
from memory.services import memories_purge
from planning.layer import PlanningLayer
from planning.selectors import plan_of
from reflection.contracts import Author, Decision
from reflection.errors import ReviewRefused
from reflection.layer import ReflectionLayer
from reflection.models import Attempt, Pattern, ReflectionReview
from reflection.models import Reflection as ReflectionRow
from reflection.services import reflection_approve, reflection_edit, reflection_reject, review_is_latest
from telemetry.models import Event
from tests.reflection.conftest import CHEAP, GOOD, failed, reflected, row_of

WRITTEN: dict[str, Any] = {
    "analysis": "Hotels were sorted by price, so the budget-first strategy conflicted with the quality the user wants.",
    "learning": "For hotels of this user quality > price: look for quality >= 8 first, which prevents another refusal.",
    "adjustments": ["Add constraint: quality >= 8"],
    "patterns": [],
}


class Mediocre:
    """A model whose reflection the gate lets through with warnings: right in depth, and nothing that can be done."""

    def complete(self, prompt: str) -> str:
        return (
            '{"analysis": "The budget-first strategy was a flawed approach to the task, since quality 5 fell short of 7'
            ' and the user rejected the hotel.", "patterns_identified": [], "strategy_adjustments": ["Be more careful"'
            '], "learning": "The hotel should have had a quality of at least 7 before the price was looked at."}'
        )


def held_back(learner: User) -> ReflectionRow:
    """A reflection that waits for somebody to look at it."""
    plan, evaluation = failed(learner)
    row = row_of(ReflectionLayer(llm=Mediocre()).reflect_on_result(plan, evaluation, result=CHEAP))
    assert (row.decision, row.in_force) == (Decision.ACCEPTED_WITH_WARNINGS, False)
    return row


def feeds(row: ReflectionRow) -> tuple[bool, int, int]:
    """Whether it is in force, how many episodes there are of it, and how many adjustments hold."""
    row.refresh_from_db()
    set_by_it = StrategyAdjustment.objects.filter(reflection_id__startswith=str(row.pk), withdrawn_at=None)
    return row.in_force, Episode.objects.filter(outcome="failure").count(), set_by_it.count()


def counted(user: User) -> set[tuple[int, int]]:
    """How many episodes show each pattern of a user, of how many that were looked at."""
    return set(Pattern.objects.filter(user=user).values_list("support", "total"))


@pytest.mark.django_db
def test_what_the_gate_held_back_feeds_nothing_until_somebody_approves(learner: User, staff: User) -> None:
    row = held_back(learner)
    assert feeds(row) == (False, 0, 0)
    reflection_approve(reflection_id=row.pk, by=staff, reason="The cause is right.", seen=row.version)
    assert feeds(row)[:2] == (True, 1)
    review = ReflectionReview.objects.get()
    assert (review.action, review.by, review.reason) == ("approve", staff, "The cause is right.")
    told = Event.objects.get(event="reflection.reviewed").data
    assert (told["action"], told["by"], told["inForce"]) == ("approve", staff.pk, True)


@pytest.mark.django_db
def test_what_was_accepted_can_be_rejected_and_then_holds_no_longer(learner: User, staff: User) -> None:
    row = reflected(learner)
    in_force, episodes, adjustments = feeds(row)
    assert in_force
    assert (episodes, adjustments > 0) == (1, True)
    reflection_reject(reflection_id=row.pk, by=staff, reason="It blames the wrong thing.")
    assert feeds(row) == (False, 0, 0)
    plan = PlanningLayer().create_plan("Book hotel in London", learner.pk)
    assert plan.metadata.applied_adjustments == []
    with pytest.raises(ReviewRefused):
        reflection_reject(reflection_id=row.pk, by=staff, reason="Again.")


@pytest.mark.django_db
def test_what_was_rejected_can_be_approved_again(learner: User, staff: User) -> None:
    row = reflected(learner)
    before = feeds(row)
    reflection_reject(reflection_id=row.pk, by=staff, reason="A slip of mine.")
    reflection_approve(reflection_id=row.pk, by=staff, reason="It was right.")
    assert feeds(row) == before
    assert ReflectionReview.objects.count() == 2


@pytest.mark.django_db
def test_what_is_approved_again_holds_also_when_what_it_set_first_has_expired(learner: User, staff: User) -> None:
    row = reflected(learner)
    before = feeds(row)
    for act in (reflection_reject, reflection_approve, reflection_reject):
        act(reflection_id=row.pk, by=staff, reason="I looked.")
    StrategyAdjustment.objects.filter(reflection_id=str(row.pk)).update(expires_at=timezone.now())
    memories_purge()
    reflection_approve(reflection_id=row.pk, by=staff, reason="It was right.")
    assert feeds(row) == before


@pytest.mark.django_db
def test_an_edit_is_a_new_attempt_of_that_person_judged_by_the_gate_and_in_force(learner: User, staff: User) -> None:
    row = held_back(learner)
    before = Attempt.objects.count()
    reflection_edit(reflection_id=row.pk, by=staff, reason="It needs an adjustment.", **WRITTEN)
    row.refresh_from_db()
    assert row.kept is not None
    assert (row.kept.author, row.kept.by, row.kept.number) == (Author.STAFF, staff, before + 1)
    assert row.kept.metrics["actionability_score"] == 1.0
    assert (row.decision, row.review) == (Decision.ACCEPTED_WITH_WARNINGS, "approved"), "the gate's word stays"
    plan = PlanningLayer().create_plan("Book hotel in London", learner.pk)
    assert any("quality>=8" in one for one in plan.metadata.applied_adjustments)


@pytest.mark.django_db
def test_an_edit_of_what_is_in_force_replaces_what_it_set(learner: User, staff: User) -> None:
    row = reflected(learner)
    reflection_edit(reflection_id=row.pk, by=staff, reason="Stricter.", **WRITTEN)
    plan = PlanningLayer().create_plan("Book hotel in London", learner.pk)
    assert [one for one in plan.metadata.applied_adjustments if "quality>=8" in one]
    assert Episode.objects.get(outcome="failure").content.startswith("For hotels of this user")
    assert {one.reflection_id for one in StrategyAdjustment.objects.filter(withdrawn_at=None)} == {f"{row.pk}/2"}


@pytest.mark.django_db
def test_a_failure_counts_in_patterns_whatever_staff_make_of_it(learner: User, staff: User) -> None:
    row, *_others = [reflected(learner, task=f"Book hotel in {city}") for city in ("Paris", "Rome", "Lima")]
    before = counted(learner)
    assert before == {(3, 3)}
    reflection_edit(reflection_id=row.pk, by=staff, reason="Stricter.", **WRITTEN)
    assert counted(learner) == before, "it is remembered anew"
    reflection_reject(reflection_id=row.pk, by=staff, reason="It blames the wrong thing.")
    assert counted(learner) == before, "nobody learned from it, and it happened"


@pytest.mark.django_db
def test_a_failure_that_another_result_replaced_counts_in_no_pattern(learner: User) -> None:
    row, *_others = [reflected(learner, task=f"Book hotel in {city}") for city in ("Paris", "Rome", "Lima")]
    EvaluationLayer().evaluate_result(plan_of(row.evaluation.plan), {"weather": "fine"}, latest=True)
    assert counted(learner) == {(2, 2)}


@pytest.mark.django_db
@pytest.mark.parametrize("reason", ["", "   ", "x" * 501, "a\x00b"])
def test_a_review_needs_a_reason(learner: User, staff: User, reason: str) -> None:
    row = held_back(learner)
    with pytest.raises(ReviewRefused):
        reflection_approve(reflection_id=row.pk, by=staff, reason=reason)
    assert not ReflectionReview.objects.exists()


@pytest.mark.django_db
def test_who_saw_an_older_attempt_is_told_so(learner: User, staff: User) -> None:
    row = held_back(learner)
    assert row.kept is not None
    reflection_edit(reflection_id=row.pk, by=staff, reason="Mine.", **WRITTEN)
    with pytest.raises(ReviewRefused):
        reflection_reject(reflection_id=row.pk, by=staff, reason="Theirs.", seen=row.version)


@pytest.mark.django_db
def test_only_the_very_same_review_is_the_latest_one(learner: User, staff: User) -> None:
    row = held_back(learner)
    edit: dict[str, Any] = {"reflection_id": row.pk, "by": staff, "reason": "Mine. ", **WRITTEN}
    assert not review_is_latest(action="edit", **edit)
    reflection_edit(**edit)
    assert review_is_latest(action="edit", **edit)
    others: list[dict[str, Any]] = [
        {"by": learner},
        {"reason": "Yours."},
        {"learning": "Hm."},
        {"adjustments": []},
        {"patterns": ["x"]},
    ]
    assert not any(review_is_latest(action="edit", **{**edit, **other}) for other in others)
    again: dict[str, Any] = {"reflection_id": row.pk, "by": staff, "reason": "No."}
    reflection_reject(**again)
    assert review_is_latest(action="reject", **again)
    assert not review_is_latest(action="approve", **again)
    assert not review_is_latest(action="edit", **edit), "another came after it"


@pytest.mark.django_db
def test_the_database_keeps_what_nobody_let_through_out_of_force(learner: User) -> None:
    row = held_back(learner)
    with pytest.raises(IntegrityError), transaction.atomic():
        ReflectionRow.objects.filter(pk=row.pk).update(in_force=True)


@pytest.mark.django_db(transaction=True)
def test_two_who_review_at_once_decide_once(learner: User, staff: User) -> None:
    row = held_back(learner)
    begun, said = threading.Barrier(2, timeout=20), list[str]()

    def go(act: Callable[..., Any], name: str) -> None:
        begun.wait()
        try:
            act(reflection_id=row.pk, by=staff, reason="At once.", seen=1)
            said.append(name)
        except ReviewRefused:
            said.append("refused")
        finally:
            connection.close()

    threads = [threading.Thread(target=go, args=(reflection_approve, "approved")) for _ in range(2)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert sorted(said) == ["approved", "refused"]
    assert ReflectionReview.objects.count() == 1


@pytest.mark.django_db
def test_a_failure_that_another_result_replaced_can_not_be_decided_about_any_more(learner: User, staff: User) -> None:
    plan, evaluation = failed(learner)
    row = row_of(ReflectionLayer(llm=Mediocre()).reflect_on_result(plan, evaluation, result=CHEAP))
    EvaluationLayer().evaluate_result(plan, GOOD, latest=True)
    for act in (reflection_approve, reflection_reject, partial(reflection_edit, **WRITTEN)):
        with pytest.raises(ReviewRefused):
            act(reflection_id=row.pk, by=staff, reason="Too late.")
    assert feeds(row) == (False, 0, 0)
    assert row.review == "superseded"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "words",
    [{"analysis": " "}, {"learning": ""}, {"adjustments": ["x"] * 20 + ["y" * 501]}, {"analysis": "a\x00b"}],
    ids=["no analysis", "no learning", "a long line", "a character that cannot be stored"],
)
def test_staff_cannot_write_what_says_nothing_or_cannot_be_stored(
    learner: User, staff: User, words: dict[str, Any]
) -> None:
    row = held_back(learner)
    with pytest.raises(ReviewRefused):
        reflection_edit(reflection_id=row.pk, by=staff, reason="So.", **{**WRITTEN, **words})
    assert not ReflectionReview.objects.exists()
