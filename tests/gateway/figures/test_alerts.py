"""spec/3 "Monitoreo": alerts that a settlement brings about, each once, with its event in the session's chain."""

from datetime import timedelta

import pytest

from accounts.models import User
from gateway.contracts import MICROCENTS, Limits, OperationRun, Payer, Tier
from gateway.ledger import account_open, adjust, settle
from gateway.models import Account, Alert
from gateway.selectors import alerts_open
from gateway.services import alert_raise
from telemetry.chains.verification import chains_verify
from telemetry.models import Event
from tests.gateway.calls import call, in_session
from tests.gateway.ledger_helpers import NOON, account, answered, assert_books_right, cents, events_of, sent

pytestmark = pytest.mark.django_db
Kind = Alert.Kind


def raised(kind: Alert.Kind) -> list[str]:
    """What alerts of this kind are about, in the order they were raised."""
    return list(Alert.objects.filter(kind=kind).order_by("pk").values_list("key", flat=True))


def test_less_than_20_percent_of_the_sessions_budget_is_told_once() -> None:
    payer = in_session()
    call(payer, 80)
    assert raised(Kind.BUDGET_LOW) == []  # a fifth is left, not less
    call(payer, 0.5)
    call(payer, 1)
    assert raised(Kind.BUDGET_LOW) == ["lesson"]
    [told] = events_of("lesson", "alert.raised")
    assert told == {
        "kind": "budget_low",
        "about": "lesson",
        "leftMicrocents": cents(19.5),
        "limitMicrocents": cents(100),
    }
    assert Event.objects.get(event="alert.raised").level == "warning"
    assert_books_right(open_holds=0)


def test_what_is_only_held_may_come_back_and_raises_nothing() -> None:
    payer = in_session()
    sent(payer, cents(85))
    call(payer, 1)
    assert raised(Kind.BUDGET_LOW) == []


def test_each_session_has_its_own_alert() -> None:
    for key in ("a", "b"):
        call(in_session(key), 90)
    assert raised(Kind.BUDGET_LOW) == ["a", "b"]


def test_a_course_without_money_raises_nothing() -> None:
    account_open(scope=Account.Scope.SESSION, key="free", limits=Limits(cents=0))
    call(Payer(chain="plain"), 1)
    assert not Alert.objects.exists()


def test_more_than_3_escalations_are_told_once() -> None:
    payer = in_session()
    for number in range(1, 6):
        call(payer, 1, Tier.THINKER, escalation=True)
        assert raised(Kind.ESCALATIONS_MANY) == ([] if number <= 3 else ["lesson"])
    [told] = [data for data in events_of("lesson", "alert.raised") if data["kind"] == "escalations_many"]
    assert told["escalations"] == 4


@pytest.mark.usefixtures("whole_months")
def test_a_user_day_over_7_dollars_is_told_where_staff_raised_the_cap(staff: User, learner: User) -> None:
    payer = Payer(chain="plain", user_id=learner.pk)
    run = OperationRun(operation="tutor_turn", run="1")
    call(payer, 400, run=run)
    day = account(Account.Scope.USER_DAY, f"{learner.pk}:2026-03-10")
    adjust(account_id=day.pk, by=staff, reason="a class", limit=cents(900))
    call(payer, 300, run=run)
    assert raised(Kind.USER_DAY_HIGH) == []  # seven, not more
    call(payer, 1, run=run)
    call(payer, 1, run=run)
    assert raised(Kind.USER_DAY_HIGH) == [f"{learner.pk}:2026-03-10"]
    call(payer, 1, now=NOON + timedelta(days=1))
    assert len(raised(Kind.USER_DAY_HIGH)) == 1


@pytest.mark.usefixtures("whole_months")
def test_the_day_is_that_of_the_reservation(staff: User, learner: User) -> None:
    """Midnight mid-call: the day that paid is told."""
    payer, late = Payer(chain="plain", user_id=learner.pk), NOON.replace(hour=23, minute=59)
    held = sent(payer, cents(499), now=late)
    day = account(Account.Scope.USER_DAY, f"{learner.pk}:2026-03-10")
    adjust(account_id=day.pk, by=staff, reason="a class", limit=cents(900))
    settle(held, answered(1_500_000), now=late + timedelta(minutes=5))  # 750 cents
    assert raised(Kind.USER_DAY_HIGH) == [f"{learner.pk}:2026-03-10"]


def test_a_call_dearer_than_its_hold_is_told() -> None:
    held = sent(in_session(), cents(90))
    settle(held, answered(250_000), now=NOON)  # 125 cents
    assert raised(Kind.OVERRUN) == [str(held)]
    assert Alert.objects.get(kind=Kind.OVERRUN).details == {
        "model": "gpt-4o-mini",
        "overrunMicrocents": 25 * MICROCENTS,
    }


def test_chains_with_alerts_hold() -> None:
    call(in_session(), 95)
    assert [check.fault for check in chains_verify()] == [None]


# Raised by a layer above


def test_a_layer_above_raises_an_alert_once_with_its_event() -> None:
    details = {"value": 0.55, "of": 25}
    for key in ("2026-03-10", "2026-03-10", "2026-03-11"):
        alert_raise(kind=Kind.QUALITY_LOW, key=key, details=details, now=NOON)
    assert raised(Kind.QUALITY_LOW) == ["2026-03-10", "2026-03-11"]
    first, second = events_of("gateway", "alert.raised")
    assert first == {"kind": "quality_low", "about": "2026-03-10", **details}
    assert second["about"] == "2026-03-11"
    assert Alert.objects.first().raised_at == NOON  # type: ignore[union-attr]
    assert [check.fault for check in chains_verify(["gateway"])] == [None]


def test_whoever_raises_an_alert_learns_whether_it_was_new() -> None:
    assert alert_raise(kind=Kind.DEPTH_LOW, key="x", details={})
    assert not alert_raise(kind=Kind.DEPTH_LOW, key="x", details={})
    assert alert_raise(kind=Kind.QUALITY_LOW, key="x", details={})
    assert alerts_open(5, {Kind.DEPTH_LOW}) == list(Alert.objects.filter(kind=Kind.DEPTH_LOW))
    assert len(alerts_open(5)) == 2
