"""RT-010, "Quality Targets": an alert for each metric beyond its threshold, once a day, as an event."""

from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from gateway.models import Alert
from planning.models import Plan
from reflection.board.alerts import KINDS, quality_alerts_raise
from reflection.board.contracts import TARGETS
from reflection.tasks import check_quality
from telemetry.chains.verification import chains_verify
from telemetry.models import Event
from tests.reflection.reflections_made import GOOD, NOON, pattern, plan_make, reflections_make, tried

HOUR = timedelta(hours=1)
POOR = {"completeness": 0.6, "depth_score": 0.4, "actionability_score": 0.5}


@pytest.fixture
def plan(learner: User) -> Plan:
    return plan_make(learner)


def raised() -> list[tuple[str, str]]:
    return list(Alert.objects.order_by("pk").values_list("kind", "key"))


def make(plan: Plan, count: int, attempt: dict[str, Any], **changes: Any) -> None:
    reflections_make(plan, *[[attempt]] * count, **changes)


def test_every_target_has_an_alert_of_its_own() -> None:
    assert set(KINDS) == set(TARGETS)
    assert len(set(KINDS.values())) == len(TARGETS)


@pytest.mark.django_db
def test_nothing_was_made_and_nothing_is_told() -> None:
    assert quality_alerts_raise(now=NOON) == 0


def test_quality_targets_that_are_missed_without_passing_a_threshold_raise_nothing(plan: Plan) -> None:
    edge = {"completeness": 0.7, "depth_score": 0.5, "actionability_score": 0.6}
    make(plan, 16, tried(0.6, metrics=edge, patterns=[pattern(5, 10), pattern(5, 10)]))
    make(plan, 1, tried(0.6, "accepted_with_warnings", metrics=edge))
    make(plan, 3, tried(0.6, "rejected", metrics=edge))
    assert quality_alerts_raise(now=NOON + HOUR) == 0


def test_quality_targets_each_threshold_that_is_passed_is_told_once_a_day(plan: Plan) -> None:
    make(plan, 20, tried(0.4, "rejected", metrics=POOR, patterns=[pattern(2, 10)]))
    assert quality_alerts_raise(now=NOON + HOUR) == len(TARGETS)
    assert quality_alerts_raise(now=NOON + 2 * HOUR) == 0
    assert sorted(raised()) == sorted((kind.value, "2026-03-10") for kind in KINDS.values())
    assert quality_alerts_raise(now=NOON + 20 * HOUR) == len(TARGETS)  # another day, and less than 24 hours later
    assert quality_alerts_raise(now=NOON + 25 * HOUR) == 0
    told = Event.objects.filter(event="alert.raised", chain_id="gateway").order_by("seq")
    assert len(told) == 2 * len(TARGETS)
    assert {event.level for event in told} == {"warning"}
    assert dict(told[0].data) == {
        "kind": "quality_low",
        "about": "2026-03-10",
        "metric": "metacognition.reflection.quality_score_avg",
        "value": 0.4,
        "threshold": 0.6,
        "target": 0.8,
        "of": 20,
    }
    assert [check.fault for check in chains_verify(["gateway"])] == [None]


def test_a_few_reflections_say_nothing(plan: Plan) -> None:
    make(plan, 19, tried(0.4, "rejected", metrics=POOR))
    assert quality_alerts_raise(now=NOON + HOUR) == 0
    make(plan, 1, tried(0.4, "rejected", metrics=POOR))
    assert quality_alerts_raise(now=NOON + HOUR) == 6  # no pattern was identified


def test_a_few_patterns_say_nothing_about_patterns(plan: Plan) -> None:
    make(plan, 40, tried())
    make(plan, 19, tried(patterns=[pattern(2, 10)]))
    assert quality_alerts_raise(now=NOON + HOUR) == 0
    make(plan, 1, tried(patterns=[pattern(2, 10)]))
    assert quality_alerts_raise(now=NOON + HOUR) == 1
    assert raised() == [("patterns_weak", "2026-03-10")]


def test_a_metric_that_few_reflections_have_says_nothing(plan: Plan) -> None:
    make(plan, 30, tried(metrics={"completeness": 1.0, "actionability_score": 1.0}))
    make(plan, 19, tried(metrics={**GOOD, "depth_score": 0.1}))
    assert quality_alerts_raise(now=NOON + HOUR) == 0


def test_only_the_last_24_hours_count(plan: Plan) -> None:
    make(plan, 25, tried(0.4, "rejected", metrics=POOR), at=NOON - 25 * HOUR)
    assert quality_alerts_raise(now=NOON) == 0


def test_rejections_over_15_percent_are_told(plan: Plan) -> None:
    make(plan, 34, tried())
    make(plan, 6, tried(0.8, "rejected", is_valid=True))
    assert quality_alerts_raise(now=NOON + HOUR) == 0  # fifteen of a hundred, not more
    make(plan, 1, tried(0.8, "rejected", is_valid=True))
    assert quality_alerts_raise(now=NOON + HOUR) == 1
    alert = Alert.objects.get()
    assert (alert.kind, alert.details["value"], alert.details["of"]) == ("rejections_many", 0.171, 41)


def test_looking_is_one_query_while_all_is_well(plan: Plan, django_assert_num_queries: Any) -> None:
    make(plan, 25, tried())
    with django_assert_num_queries(1):
        quality_alerts_raise(now=NOON + HOUR)


def test_beat_looks_and_staff_are_led_to_the_board(desk: Client, plan: Plan) -> None:
    assert settings.CELERY_BEAT_SCHEDULE["check-quality"]["task"] == check_quality.name
    now = timezone.now()
    make(plan, 20, tried(0.9, metrics={**GOOD, "depth_score": 0.3}), at=now - HOUR)
    check_quality()
    [alert] = Alert.objects.all()
    assert alert.kind == "depth_low"
    day = now.date()
    board = f"{reverse('reflection:quality')}?since={day - timedelta(days=6)}&amp;until={day}"
    for url in (reverse("admin:gateway_alert_changelist"), reverse("admin:gateway_alert_change", args=[alert.pk])):
        assert f'href="{board}"' in desk.get(url).content.decode()
    assert desk.get(board.replace("&amp;", "&")).status_code == 200
