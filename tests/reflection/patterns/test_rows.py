"""Patterns as rows, over real episodes: they are counted anew as episodes arrive, and make room for each other."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.db import connection
from django.utils import timezone

from accounts.models import User
from evaluation.layer import EvaluationLayer
from memory.services import episode_store
from planning.layer import PlanningLayer
from reflection.contracts import PatternFound, PatternState
from reflection.models import PATTERNS_AT_MOST, CachedWork, Pattern
from reflection.patterns import features_of, patterns_found
from reflection.selectors import episodes_of, failure_of
from reflection.services.patterns import patterns_known, patterns_revalidate, patterns_revalidate_due, patterns_store
from telemetry.models import Event
from tests.reflection.past_made import QUALITY, Check, failure, times
from tests.reflection.patterns_made import DOMAIN, NOON, figures, found, moves, other, remember

CRITERIA = ("Hotel quality >= 7", "Price within budget ($200)", "User confirms")
CHEAP = {"quality": 5, "price": 80, "user_feedback": "rejected - too low quality"}
GOOD = {"quality": 8, "price": 150, "user_feedback": "confirmed"}
_COPY = """
INSERT INTO memory_episode
SELECT (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).*
FROM memory_episode e, generate_series(1, %s)
"""
WELL: Check = ("Hotel quality >= 7", True)


def test_three_equal_failures_of_real_plans_make_a_pattern(learner: User) -> None:
    layer, planning = EvaluationLayer(), PlanningLayer()
    patterns: list[PatternFound] = []
    for number in range(3):
        plan = planning.create_plan("Book hotel in Paris", learner.pk, criteria=CRITERIA)
        evaluation = layer.evaluate_result(plan, CHEAP)
        now = failure_of(plan, evaluation, CHEAP)
        patterns = patterns_found(now)
        assert bool(patterns) == (number == 2)
        kept = {"evaluation": str(evaluation.id), "features": sorted(features_of(plan, evaluation))}
        episode_store(learner, f"Failed {number}", plan.metadata.task_type, "failure", kept)
    assert patterns[0].outcome == "fails:quality >= 7"
    assert patterns[0].text == "In 3 of 3 hotel searches sorted by price, quality fell short of 7"
    rows = patterns_store(user_id=learner.pk, found=patterns, language="en")
    assert [(row.state, row.support) for row in rows] == [("provisional", 3)] * len(patterns)
    plan = planning.create_plan("Book hotel in Paris", learner.pk, criteria=CRITERIA)
    assert layer.evaluate_result(plan, GOOD).success
    success = episodes_of(learner.pk, DOMAIN)[0]
    assert success.failed is False
    assert {"priority=price", "meets:quality >= 7", "confirmed"} <= success.features
    assert patterns_revalidate(user_id=learner.pk, domain=DOMAIN) == len(rows)
    assert {row.state for row in Pattern.objects.all()} == {"retired"}
    assert Pattern.objects.get(outcome="fails:quality >= 7").text.startswith("In 3 of 4 hotel searches sorted by price")


def test_a_pattern_is_established_and_retires_as_episodes_arrive(learner: User) -> None:
    remember(learner, 3, QUALITY)
    [row] = patterns_store(user_id=learner.pk, found=found(), language="en", now=NOON)
    states = []
    for hour, (count, checks) in enumerate(((1, QUALITY), (1, ("has pool", False)), (6, QUALITY), (3, WELL)), 1):
        remember(learner, count, checks, at=NOON + timedelta(hours=hour))
        moment = NOON + timedelta(hours=hour, minutes=1)
        assert patterns_revalidate_due(now=moment) == 1
        assert patterns_revalidate_due(now=moment) == 0
        states.append(figures(row))
    assert states == [
        ("established", 4, 0, 4),
        ("provisional", 4, 0, 5),
        ("established", 10, 0, 11),
        ("retired", 10, 3, 14),
    ]
    assert row.text == "In 10 of 14 hotel searches sorted by price, quality fell short of 7"
    assert moves(learner) == [
        ("", "provisional"),
        ("provisional", "established"),
        ("established", "provisional"),
        ("provisional", "established"),
        ("established", "retired"),
    ]
    assert "quality" not in str(list(Event.objects.values_list("data", flat=True)))
    remember(learner, 3, QUALITY, at=NOON + timedelta(days=2))
    assert patterns_revalidate_due(now=NOON + timedelta(days=3)) == 0, "retired until it is found again"
    remember(learner, 18, QUALITY, at=NOON + timedelta(days=2))
    [again] = patterns_store(user_id=learner.pk, found=found(4), language="en", now=NOON + timedelta(days=3))
    assert again.pk == row.pk
    assert figures(row) == ("established", 31, 3, 35)


def test_what_was_found_long_before_it_is_stored_is_counted_anew(learner: User) -> None:
    remember(learner, 3, QUALITY)
    later = NOON + timedelta(days=5)
    remember(learner, 5, WELL, at=later)
    [row] = patterns_store(user_id=learner.pk, found=found(), language="en", found_at=NOON, now=later)
    assert figures(row) == ("provisional", 3, 0, 3)
    assert patterns_revalidate_due(now=later) == 1
    assert figures(row) == ("retired", 3, 5, 8)


def test_rt_009_patterns_are_kept_for_a_day_and_never_for_other_episodes(learner: User) -> None:
    plan = PlanningLayer().create_plan("Book hotel in Paris", learner.pk, criteria=CRITERIA)
    evaluation = EvaluationLayer().evaluate_result(plan, CHEAP)
    remember(learner, 2, QUALITY, at=timezone.now())
    first = failure_of(plan, evaluation, CHEAP)
    assert patterns_known(failure=first) == patterns_found(first) != []
    assert patterns_known(failure=first) == patterns_found(first)
    assert CachedWork.objects.get().owner == str(learner.pk)
    CachedWork.objects.update(value=[])
    assert patterns_known(failure=first) == [], "what is kept is what is given"
    assert patterns_known(failure=first, now=timezone.now() + timedelta(hours=24)) == patterns_found(first)
    remember(learner, 1, WELL, at=timezone.now())
    second = failure_of(plan, evaluation, CHEAP)
    assert patterns_known(failure=second) == patterns_found(second)
    assert patterns_known(failure=failure(QUALITY, past=times(2, QUALITY))) != []
    assert CachedWork.objects.count() == 2


def test_what_is_stored_again_is_updated_and_what_cannot_be_counted_is_no_row(learner: User) -> None:
    remember(learner, 3, QUALITY)
    patterns_store(user_id=learner.pk, found=found(), language="en", now=NOON)
    remember(learner, 3, QUALITY, at=NOON + timedelta(hours=1))
    patterns_store(user_id=learner.pk, found=found(4), language="es", now=NOON + timedelta(hours=1))
    row = Pattern.objects.get()
    assert (row.state, row.support, row.language, row.created_at) == ("established", 6, "es", NOON)
    odd = [
        PatternFound(text="cheap hotels disappoint", domain=DOMAIN),
        other(1, state=PatternState.RETIRED),
        other(2, domain=""),
        other(3, domain="No Type"),
    ]
    assert patterns_store(user_id=learner.pk, found=odd, language="en") == []
    assert patterns_store(user_id=0, found=found(), language="en") == []
    assert Pattern.objects.count() == 1


def test_rt_009_at_most_500_in_a_domain_and_the_longest_retired_make_room(learner: User) -> None:
    def fill(numbers: Iterable[int], **changes: Any) -> None:
        Pattern.objects.bulk_create(
            Pattern(
                user=learner, domain=DOMAIN, digest=f"{number:064}", condition=[], outcome="rejected", text="-",
                language="en", support=3, contrary=0, total=3, confidence=1, lower_bound=0.4,
                **{"state": "provisional", "created_at": NOON, "validated_at": NOON, **changes},
            )
            for number in numbers
        )  # fmt: skip

    fill(range(PATTERNS_AT_MOST - 2))
    fill([900], state="retired", validated_at=NOON - timedelta(days=9))
    fill([901], state="retired", validated_at=NOON - timedelta(days=5))
    assert len(patterns_store(user_id=learner.pk, found=[other(1)], language="en", now=NOON)) == 1
    assert set(Pattern.objects.filter(state="retired").values_list("digest", flat=True)) == {f"{901:064}"}
    stored = patterns_store(user_id=learner.pk, found=[other(2), other(3)], language="en", now=NOON)
    assert {row.text for row in stored} == {"pattern 2"}
    assert Pattern.objects.count() == PATTERNS_AT_MOST
    assert patterns_store(user_id=learner.pk, found=[other(4)], language="en", now=NOON) == []
    elsewhere = other(5, domain="lesson")
    assert len(patterns_store(user_id=learner.pk, found=[elsewhere], language="en", now=NOON)) == 1
    refusals = Event.objects.filter(event="quota.exceeded").values_list("data", flat=True)
    assert list(refusals) == [{"quota": "patterns", "used": 500, "limit": 500, "user": learner.pk}] * 2


def test_rt_009_a_pattern_over_2_kb_is_left_out_and_told_of(learner: User) -> None:
    large = other(1, text="ñ" * 500, condition=tuple(f"constraint:{'ñ' * 100}{n}" for n in range(5)))
    stored = patterns_store(user_id=learner.pk, found=[large, other(2)], language="en", now=NOON)
    assert [row.text for row in stored] == ["pattern 2"]
    assert Event.objects.get(event="quota.exceeded").data["quota"] == "pattern_bytes"


def test_of_5_000_episodes_the_latest_50_are_read_with_few_queries(
    learner: User, django_assert_max_num_queries: Any
) -> None:
    remember(learner, 1, WELL, at=NOON - timedelta(days=1))
    with connection.cursor() as cursor:
        cursor.execute(_COPY, [4_959])
    remember(learner, 40, QUALITY)
    with django_assert_max_num_queries(5):
        past = episodes_of(learner.pk, DOMAIN, now=NOON)
    assert len(past) == 50
    patterns_store(user_id=learner.pk, found=found(8), language="en", now=NOON - timedelta(hours=1))
    with django_assert_max_num_queries(14):
        assert patterns_revalidate(user_id=learner.pk, domain=DOMAIN, now=NOON) == 1
    assert (Pattern.objects.get().support, Pattern.objects.get().total) == (40, 50)


def test_what_is_due_is_taken_in_turns_the_longest_waiting_first(learner: User, stranger: User) -> None:
    for user, day in ((learner, 1), (stranger, 2)):
        remember(user, 3, QUALITY, at=NOON + timedelta(days=day))
        patterns_store(user_id=user.pk, found=found(), language="en", now=NOON + timedelta(days=day, hours=1))
    moment = NOON + timedelta(days=2, hours=2)
    assert patterns_revalidate_due(limit=1, now=moment) == 1
    assert Pattern.objects.get(user=learner).validated_at == moment
    assert patterns_revalidate_due(limit=5, now=moment) == 0, "nothing has arrived for the other, and no day has passed"
    assert patterns_revalidate_due(limit=5, now=moment + timedelta(days=1)) == 2
    later = moment + timedelta(days=200)
    assert patterns_revalidate_due(limit=5, now=later) == 2
    assert {row.state for row in Pattern.objects.all()} == {"retired"}, "the episodes have expired"
