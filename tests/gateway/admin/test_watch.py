"""What staff watch: models that are left alone, alerts, and how long operations took."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from gateway.client.breaker import FAILURES, breaker_failed, breaker_look
from gateway.contracts import MICROCENTS
from gateway.errors import CircuitOpen
from gateway.ledger import settle
from gateway.models import Account, Alert, Breaker, OperationTiming
from gateway.operations.alerts import alert_seen
from lesson_engine.services.sessions import session_start
from telemetry.models import Event
from tests.conftest import LessonMaker
from tests.gateway.admin_pages import (
    HOSTILE,
    assert_closed,
    assert_escaped,
    change_url,
    listed,
    messages_of,
    text_of,
)
from tests.gateway.ledger_helpers import NOON, answered, costing, hold_of, lesson, sent

BREAKERS, ALERTS, TIMINGS = (f"/admin/gateway/{model}/" for model in ("breaker", "alert", "operationtiming"))


def fail(model: str, times: int = FAILURES, reason: str = "503 from the server") -> None:
    for _ in range(times):
        breaker_failed(model, reason, began=timezone.now())


def alert(kind: str = "degraded", key: str = "2026-03-10", **details: Any) -> Alert:
    return Alert.objects.create(kind=kind, key=key, details=details, raised_at=timezone.now())


def test_a_breaker_says_how_its_model_is_doing(desk: Client) -> None:
    fail("failing", 2)
    fail("open")
    fail("due")
    Breaker.objects.filter(pk="due").update(open_until=timezone.now() - timedelta(seconds=1))
    page = text_of(desk.get(BREAKERS))
    assert "failing Asked, and fails 2" in page
    assert "open Left alone 5 1" in page
    assert "due Left alone until one call has tried 5 1" in page
    assert "503 from the server" in page


def test_staff_let_a_model_be_asked_again(desk: Client, staff: User) -> None:
    fail("open")
    fail("other")
    with pytest.raises(CircuitOpen):
        breaker_look("open")
    answer = desk.post(BREAKERS, {"action": "close", "_selected_action": "open"}, follow=True)
    assert messages_of(answer) == ["1 model is asked again."]
    assert (breaker_look("open").failures, breaker_look("open").open_until) == (0, None)
    assert "open Asked 0 0" in text_of(answer)
    closed = Event.objects.filter(event="breaker.changed").order_by("pk").last()
    assert closed is not None
    assert closed.data == {"model": "open", "state": "closed", "by": staff.pk}
    with pytest.raises(CircuitOpen):
        breaker_look("other")


def test_alerts_are_listed_newest_first_and_narrowed(desk: Client, staff: User) -> None:
    old, new = alert(), alert("overrun", "x")
    alert_seen(ids=[old.pk], by=staff)
    assert listed(desk, "alert") == [new, old]
    assert listed(desk, "alert", seen="no") == [new]
    assert listed(desk, "alert", seen="yes") == [old]
    assert listed(desk, "alert", kind="overrun") == [new]
    assert listed(desk, "alert", kind="overrun", seen="yes") == []
    assert f'href="{ALERTS}?seen=no"' in desk.get(reverse("admin:index")).content.decode()


def test_who_saw_an_alert_first_stays_on_record(desk: Client, staff: User, stranger: User) -> None:
    first, second = alert(), alert("overrun", "x")
    before = timezone.now()
    answer = desk.post(ALERTS, {"action": "seen", "_selected_action": [first.pk]}, follow=True)
    assert messages_of(answer) == ["1 alert is marked as seen."]
    assert alert_seen(ids=[first.pk, second.pk], by=stranger) == 1
    first.refresh_from_db()
    assert first.seen_by == staff
    assert first.seen_at is not None
    assert first.seen_at >= before


def test_an_alert_is_seen_from_its_page_too(desk: Client, staff: User) -> None:
    one = alert()
    url = reverse("admin:gateway_alert_seen", args=[one.pk])
    assert f'formaction="{url}"' in desk.get(change_url("alert", one.pk)).content.decode()
    assert desk.get(url).status_code == 405
    assert desk.post(url).status_code == 302
    one.refresh_from_db()
    assert one.seen_by == staff
    assert "formaction" not in desk.get(change_url("alert", one.pk)).content.decode()


def test_alerts_lead_to_what_they_are_about(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    session = session_start(user=learner, lesson=make_lesson().lesson)
    payer = lesson(str(session.pk), user_id=learner.pk)
    settle(sent(payer, 90 * MICROCENTS), costing(85 * MICROCENTS), now=NOON)
    # More than was held, and more than the session has: an overrun.
    over = sent(payer, 5 * MICROCENTS)
    settle(over, answered(40_000), now=NOON)
    assert hold_of(over).overrun == 5 * MICROCENTS
    day = Account.objects.get(scope="user_day").key
    alert("user_day_high", day, spentMicrocents=701 * MICROCENTS)
    alert("breaker_open", "gpt-4o-mini 2026-03-10", model="gpt-4o-mini")
    source = desk.get(ALERTS).content.decode()
    for url in (
        reverse("admin:lesson_engine_session_change", args=[session.pk]),
        f"/admin/gateway/account/?q={session.pk}",
        change_url("hold", over),
        f"/admin/gateway/account/?q={day.replace(':', '%3A')}",
        f"{BREAKERS}?q=gpt-4o-mini",
    ):
        assert f'href="{url}"' in source, url
        assert desk.get(url).status_code == 200, url
    page = text_of(desk.get(ALERTS))
    assert "less than 20 % of a session's budget is left left: 15 cents; limit: 100 cents" in page
    assert "overrun: 5 cents" in page
    assert "spent: 701 cents" in page


@pytest.mark.parametrize("kind", Alert.Kind.values)
def test_an_alert_of_any_kind_can_be_opened(desk: Client, kind: str) -> None:
    one = alert(kind, "no session, no call", p95Ms=4321)
    assert "p95Ms: 4321" in text_of(desk.get(change_url("alert", one.pk)))
    assert listed(desk, "alert", kind=kind) == [one]


def test_timings_are_listed_and_narrowed(desk: Client) -> None:
    now, kinds = timezone.now(), OperationTiming.Outcome
    slow, lost = (
        OperationTiming.objects.create(
            operation=name, at=now, ms=ms, target_ms=2000, violated=ms > 2000, outcome=outcome
        )
        for name, ms, outcome in (("create_plan", 2500, kinds.DONE), ("analyze_cause", 1600, kinds.FAILED))
    )
    assert set(listed(desk, "operationtiming")) == {slow, lost}
    assert listed(desk, "operationtiming", violated__exact="1") == [slow]
    assert listed(desk, "operationtiming", operation="analyze_cause") == [lost]
    assert listed(desk, "operationtiming", outcome__exact="failed") == [lost]
    assert "create_plan" in text_of(desk.get(TIMINGS))


def test_hostile_errors_and_details_stay_text(desk: Client) -> None:
    fail(HOSTILE[:100], reason=HOSTILE)
    one = alert("breaker_open", HOSTILE, model=HOSTILE, why=[HOSTILE])
    breaker = change_url("breaker", Breaker.objects.get()._get_pk_val())
    for url in (BREAKERS, ALERTS, change_url("alert", one.pk)):
        assert_escaped(desk.get(url), HOSTILE[:100])
    assert desk.get(breaker).status_code in (200, 302)


def test_learners_and_guests_get_nowhere(client: Client, learner: User) -> None:
    fail("open")
    one = alert()
    seen = reverse("admin:gateway_alert_seen", args=[one.pk])
    assert_closed(client, learner, [BREAKERS, ALERTS, TIMINGS, change_url("alert", one.pk), seen])
    client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    client.post(BREAKERS, {"action": "close", "_selected_action": "open"})
    client.post(ALERTS, {"action": "seen", "_selected_action": one.pk})
    one.refresh_from_db()
    assert one.seen_at is None
    with pytest.raises(CircuitOpen):
        breaker_look("open")
