"""A call's money, from the hold before it to what it cost."""

import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

import structlog
from django.db import IntegrityError, connection, transaction
from django.db.backends.utils import CursorWrapper
from django.utils import timezone

from core.operations.connections import committed, constraint_broken
from gateway.contracts import Budget, CallReport, OperationRun, Outcome, Payer, Settled, Tier, Usage
from gateway.errors import HoldNotOpen
from gateway.ledger import statements
from gateway.ledger.accounts import (
    accounts_locked,
    accounts_of,
    accounts_ready,
    money_move,
    refusal,
    shared_money_move,
    user_stays,
)
from gateway.ledger.chaining import AccountEnd, Movement, link_columns, link_next
from gateway.ledger.pricing import cost_of
from gateway.models import Account, Entry, Hold, Price
from gateway.operations import alerts
from telemetry.contracts import EventDraft, EventLevel, EventName
from telemetry.services import events_append

Scope = Account.Scope
UNSENT = timedelta(seconds=60)
"""How long a hold may wait to be dispatched; far longer than that takes."""
GRACE = timedelta(seconds=30)
"""What a dispatched hold gets beyond its call's deadline to be settled."""
OVERSPENT = "account_never_overspent"
"""The constraint that refuses what an account cannot bear."""
_EXPIRED_AT_ONCE = 200
_log = structlog.get_logger(__name__)


class Reserved(NamedTuple):
    """A hold that money was set aside for, not dispatched yet. `amount` is in micro-cents."""

    id: uuid.UUID
    tier: Tier
    model: str
    amount: int


class Dispatched(NamedTuple):
    """Leave to make one request, which the transport asks for: only `dispatch` gives it."""

    id: uuid.UUID
    tier: Tier
    model: str


def reserve(
    *,
    payer: Payer,
    price: Price,
    amount: int,
    run: OperationRun,
    call: uuid.UUID | None = None,
    attempt: int = 1,
    escalation: bool = False,
    now: datetime | None = None,
) -> Reserved:
    """Set `amount` micro-cents aside in all accounts that pay, or in none.

    `escalation` counts one in the session's account, in the same statement. Days and months are in UTC and stay those
    of the reservation. Raises `AccountMissing`, `EscalationRefused`, `DailyMetacognitionBudgetExceeded` or
    `MetacognitionCostExceeded`; then nothing has changed, except that accounts which open by themselves are open.
    """
    moment = now or timezone.now()
    accounts = accounts_of(payer, run, moment)
    ready = accounts_ready([account for account in accounts if account[0] != Scope.SESSION], moment)
    shared = [account for account in accounts if account[0] in Account.SHARED]
    hold = Reserved(uuid.uuid4(), Tier(price.tier), price.model, amount)
    values: dict[str, Any] = {
        **payer.model_dump(),
        "id": hold.id,
        "tier": hold.tier.value,
        "model": price.model,
        "price": price.pk,
        "amount": amount,
        "escalation": escalation,
        "operation": run.operation,
        "call": call or uuid.uuid4(),
        "attempt": attempt,
        "now": moment,
        "expires": moment + UNSENT,
        "shared": [ready[scope, key][0] for scope, key, _limit in shared],
    }
    try:
        with transaction.atomic(durable=True), connection.cursor() as cursor:
            user_stays(cursor, payer)
            ends = [_taken(cursor, *account, hold, escalation) for account in accounts if account not in shared]
            for scope, key, _limit in shared:
                if ready[scope, key][1] < amount:
                    raise refusal(scope, key, hold.tier, amount)
            movement = Movement.of_call(Entry.Kind.RESERVE, hold.id, amount, 0, moment)
            places = link_columns(link_next(one, movement) for one in ends)
            with committed():
                cursor.execute(statements.INSERT_HOLD, {**values, **places})
    except IntegrityError as error:
        if amount < 0 or constraint_broken(error) != OVERSPENT:
            raise
        # Others took what was left since we looked.
        raise _refused(shared, hold) from error
    return hold


def _refused(shared: Sequence[tuple[str, str, int]], hold: Reserved) -> Exception:
    """Why the shared accounts did not bear it: the first that has not enough, or the last."""
    ready = accounts_ready(shared, timezone.now())
    scope, key = next((place for place, (_id, left) in ready.items() if left < hold.amount), shared[-1][:2])
    return refusal(scope, key, hold.tier, hold.amount)


def _taken(cursor: CursorWrapper, scope: str, key: str, _limit: int, hold: Reserved, escalation: bool) -> AccountEnd:
    """The account that gave the amount; raises what refused it."""
    in_session = scope == Scope.SESSION
    values: dict[str, Any] = {"scope": scope, "key": key, "amount": hold.amount, "tier": hold.tier.value}
    # A session with nothing left asks no model, not even one that costs nothing.
    values |= {"least": int(in_session), "escalations": int(escalation and in_session)}
    cursor.execute(statements.HOLD_FROM, values)
    row = cursor.fetchone()
    if row is None:
        raise refusal(scope, key, hold.tier, hold.amount, escalation=escalation and in_session)
    return AccountEnd(*row)


def dispatch(
    hold: Reserved, *, deadline: timedelta, prompt_digest: str, prompt_bytes: int, now: datetime | None = None
) -> Dispatched:
    """Say that the request is being made: from here on a lost reply is charged. Raises `HoldNotOpen`."""
    moment = now or timezone.now()
    mine = Hold.objects.filter(pk=hold.id, state=Hold.State.HELD)
    if not mine.update(
        state=Hold.State.DISPATCHED,
        dispatched_at=moment,
        expires_at=moment + deadline + GRACE,
        prompt_digest=prompt_digest,
        prompt_bytes=prompt_bytes,
    ):
        raise HoldNotOpen("The hold was given up before the request was made.")
    return Dispatched(hold.id, hold.tier, hold.model)


def settle(hold_id: uuid.UUID, report: CallReport, *, now: datetime | None = None) -> Settled:
    """Charge what the call cost, by the price it began with, and give back the rest.

    Without a usage the whole hold is charged, unverified; a provider that refused did nothing, and its call costs
    nothing. More than was held is taken as far as every account has it, the rest is written down as overrun. Raises
    `HoldNotOpen` when it was closed before: a late write is refused.
    """
    with transaction.atomic(durable=True):
        hold = _take(hold_id, (Hold.State.DISPATCHED,))
        return _settle(hold, report, now or timezone.now())


def release(hold_id: uuid.UUID, *, now: datetime | None = None) -> None:
    """Give everything back: the request was not made, and an escalation does not count. Raises `HoldNotOpen`.

    For a dispatched hold too, where no connection came about.
    """
    with transaction.atomic(durable=True):
        _give_back(_take(hold_id, Hold.OPEN), Hold.State.RELEASED, now or timezone.now())


def expire(*, now: datetime | None = None) -> int:
    """Close holds whose process is gone, and return how many: unsent ones cost nothing, dispatched ones all of it.

    One that cannot be closed is logged, for `ledger_check` to find, and holds up no other.
    """
    moment, closed = now or timezone.now(), 0
    due = Hold.objects.filter(state__in=Hold.OPEN, expires_at__lt=moment).order_by("expires_at")
    for hold_id in list(due.values_list("pk", flat=True)[:_EXPIRED_AT_ONCE]):
        try:
            closed += _expire(hold_id, moment)
        except IntegrityError:
            _log.exception("a hold that is over cannot be closed", hold=str(hold_id))
    return closed


def _expire(hold_id: uuid.UUID, now: datetime) -> bool:
    with transaction.atomic(durable=True):
        # One that somebody closes at this moment is theirs.
        hold = _open_hold(hold_id, Hold.OPEN, skip_locked=True)
        if hold is None or hold.expires_at >= now:
            return False
        if hold.state == Hold.State.DISPATCHED:
            _settle(hold, CallReport(outcome=Outcome.LOST), now)
        else:
            _give_back(hold, Hold.State.EXPIRED, now)
        return True


def _open_hold(hold_id: uuid.UUID, states: Sequence[str], *, skip_locked: bool = False) -> Hold | None:
    locked = Hold.objects.select_for_update(no_key=True, skip_locked=skip_locked, of=("self",))
    return locked.select_related("price").filter(pk=hold_id, state__in=states).first()


def _take(hold_id: uuid.UUID, states: Sequence[str]) -> Hold:
    hold = _open_hold(hold_id, states)
    if hold is None:
        raise HoldNotOpen("This call was closed before: what came later is not written.")
    return hold


def _settle(hold: Hold, report: CallReport, now: datetime) -> Settled:
    tier = Tier(hold.tier)
    real, unverified = _real_cost(hold, tier, report)
    accounts = accounts_locked(hold.pk, Scope.values if real > hold.amount else Account.OWN)
    spare = min((left for _end, left in accounts), default=0)
    cost = min(real, hold.amount + max(0, spare))
    settled = Settled(
        hold=str(hold.pk), tier=tier, model=hold.model, cost=cost, overrun=real - cost, unverified=unverified, at=now
    )
    _write(
        hold,
        state=Hold.State.SETTLED,
        cost=cost,
        overrun=settled.overrun,
        unverified=unverified,
        outcome=report.outcome.value,
        latency_ms=report.latency_ms,
        reply_digest=report.reply_digest,
        reply_bytes=report.reply_bytes,
        **{f"{name}_tokens": getattr(report.usage, name, None) for name in Usage.model_fields},
        settled_at=now,
    )
    own = [account for account in accounts if account[0].scope in Account.OWN]
    budgets = money_move(hold, own, Entry.Kind.SETTLE, cost, now, amount=hold.amount)
    drafts = [_usage_event(hold, settled, budgets.get(Scope.SESSION))]
    drafts += alerts.on_settlement(hold, settled, budgets, now)
    events_append(chain=hold.chain, course=hold.course, mode=hold.mode, drafts=drafts, now=now)
    with committed():
        shared_money_move(hold, Entry.Kind.SETTLE, cost, now)
    return settled


def _real_cost(hold: Hold, tier: Tier, report: CallReport) -> tuple[int, bool]:
    if report.outcome == Outcome.REFUSED:
        return 0, False
    if report.usage is None:
        return hold.amount, True
    return cost_of(tier, hold.price.tokens, report.usage), False


def _give_back(hold: Hold, state: str, now: datetime) -> None:
    accounts = accounts_locked(hold.pk, Account.OWN)
    _write(hold, state=state, cost=0, outcome=Outcome.NOT_SENT.value, settled_at=now)
    kind = Entry.Kind.RELEASE if state == Hold.State.RELEASED else Entry.Kind.EXPIRE
    money_move(hold, accounts, kind, 0, now, amount=hold.amount, given_back=int(hold.escalation))
    with committed():
        shared_money_move(hold, kind, 0, now)


def _write(hold: Hold, **changes: Any) -> None:
    Hold.objects.filter(pk=hold.pk).update(**changes)


def _usage_event(hold: Hold, settled: Settled, session: Budget | None) -> EventDraft:
    """The documented event budget.usage; sessions have what is left besides."""
    data: dict[str, Any] = {
        "tier": settled.tier.value,
        "model": settled.model,
        "operation": hold.operation,
        "costMicrocents": settled.cost,
        "hold": settled.hold,
    }
    if hold.subject:
        data["subject"] = hold.subject
    if settled.unverified:
        data["unverified"] = True
    if settled.overrun:
        data["overrunMicrocents"] = settled.overrun
    if hold.escalation:
        data["escalation"] = True
    if session is not None:
        data |= {"leftMicrocents": session.left, "budgetMode": session.mode.value}
    level = EventLevel.WARNING if settled.unverified or settled.overrun else EventLevel.INFO
    return EventDraft(event=EventName.BUDGET_USAGE, level=level, data=data)
