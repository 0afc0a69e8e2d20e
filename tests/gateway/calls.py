"""Calls and timings on chosen days, through the ledger, for whoever looks at figures."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from gateway.contracts import CallReport, Outcome, Payer, Tier, Usage
from gateway.ledger import release, settle
from gateway.models import OperationTiming
from gateway.operations.registry import operation_named
from tests.gateway.ledger_helpers import NOON, cents, held, lesson, price_now, sent

DAY = date(2026, 3, 10)
DONE, TIMED_OUT = OperationTiming.Outcome.DONE, OperationTiming.Outcome.TIMED_OUT


def at(day: date, hour: int = 12, minute: int = 0) -> datetime:
    return datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)


def call(
    payer: Payer | None = None,
    amount: float = 1,
    tier: Tier = Tier.CHEAP,
    *,
    now: datetime = NOON,
    ms: int | None = 300,
    **changes: Any,
) -> None:
    """One call that was answered and cost `amount` cents."""
    hold = sent(payer or Payer(chain="plain"), cents(amount), tier, now=now, **changes)
    prices = price_now(tier).tokens
    tokens, rest = divmod(cents(amount) * 1_000, prices.input or prices.embedding)
    assert rest == 0, "no whole number of tokens"
    report = CallReport(outcome=Outcome.ANSWERED, usage=Usage(input=tokens), latency_ms=ms)
    settle(hold, report, now=now)


def ended(
    outcome: Outcome, payer: Payer | None = None, amount: float = 1, *, now: datetime = NOON, **more: Any
) -> None:
    """One call without an answer; not sent, it was only set aside."""
    payer = payer or Payer(chain="plain")
    if outcome == Outcome.NOT_SENT:
        release(held(payer, cents(amount), now=now, **more).id, now=now)
    else:
        settle(sent(payer, cents(amount), now=now, **more), CallReport(outcome=outcome), now=now)


def in_session(key: str = "lesson", **changes: Any) -> Payer:
    """A session in adaptive mode."""
    return lesson(key, course="light", mode="adaptive", **changes)


def timed(
    operation: str,
    *times: int,
    now: datetime = NOON,
    outcome: str = DONE,
    hit: bool | None = None,
    user_id: int | None = None,
) -> None:
    """Runs that took so many milliseconds each, all at one time."""
    target = operation_named(operation).target_ms
    OperationTiming.objects.bulk_create(
        OperationTiming(
            operation=operation,
            at=now,
            ms=ms,
            target_ms=target,
            violated=ms > target,
            outcome=outcome,
            cache_hit=hit,
            user_id=user_id,
        )
        for ms in times
    )


def minutes(count: float) -> timedelta:
    return timedelta(minutes=count)
