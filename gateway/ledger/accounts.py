"""Who pays for a call, and moving money between what accounts have, hold and spent."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.db.models import Q
from django.utils import timezone

from gateway.contracts import MICROCENTS, Budget, Limits, OperationRun, Payer, Tier
from gateway.errors import (
    AccountMissing,
    DailyMetacognitionBudgetExceeded,
    EscalationRefused,
    MetacognitionCostExceeded,
)
from gateway.ledger import statements
from gateway.ledger.chaining import AccountEnd, Movement, link_columns, link_first, link_next
from gateway.models import Account, Hold

Scope = Account.Scope
DAYS = (Scope.USER_DAY, Scope.GUESTS_DAY)
_BUDGETS = {
    **dict.fromkeys(DAYS, "daily"),
    Scope.OPERATION: "operation",
    Scope.SESSION: "session",
    **dict.fromkeys((Scope.USER_MONTH, Scope.INTEGRATOR_MONTH, Scope.GUESTS_MONTH, Scope.AGENT_MONTH), "monthly"),
}


def account_open(*, scope: str, key: str, limits: Limits) -> None:
    """Open the account of `key`, once: an account that exists keeps its limits and what it spent.

    May be part of a larger transaction, as when a session begins.
    """
    open_missing([(scope, key, limits.cents * MICROCENTS)], limits, timezone.now())


def accounts_of(payer: Payer, run: OperationRun, now: datetime) -> list[tuple[str, str, int]]:
    """Scope, key and, for those opened on demand, limit of who pays, in the order in which they are locked."""
    day, month = now.astimezone(UTC).strftime("%Y-%m-%d"), f"{payer.agent}:{now.astimezone(UTC):%Y-%m}"
    accounts: list[tuple[str, str, int]] = []
    accounts += [(Scope.OPERATION, key, cap) for key, cap in sorted(run.capped.items())]
    if payer.session is not None:
        accounts.append((Scope.SESSION, payer.session, 0))
    if payer.user_id is not None:
        accounts.append((Scope.USER_DAY, f"{payer.user_id}:{day}", settings.USER_DAY_BUDGET_CENTS * MICROCENTS))
        accounts.append((Scope.USER_MONTH, f"{payer.user_id}:{month}", _of_month(settings.USER_MONTH_SHARE)))
    if payer.managed_by is not None:
        share = _of_month(settings.INTEGRATOR_MONTH_SHARE)
        accounts.append((Scope.INTEGRATOR_MONTH, f"{payer.managed_by}:{month}", share))
    if payer.is_guest:
        accounts.append((Scope.GUESTS_DAY, day, settings.GUESTS_DAY_BUDGET_CENTS * MICROCENTS))
        accounts.append((Scope.GUESTS_MONTH, month, _of_month(settings.GUESTS_MONTH_SHARE)))
    accounts.append((Scope.AGENT_MONTH, month, _of_month(100)))
    return accounts


def _of_month(percent: int) -> int:
    """So much of an agent's month, in micro-cents, rounded down."""
    return settings.AGENT_MONTH_BUDGET_CENTS * MICROCENTS * percent // 100


def budgets_of(payer: Payer, run: OperationRun, now: datetime) -> dict[str, Budget]:
    """The budgets of `accounts_of`, by scope; one that is not open yet is whole. One query."""
    accounts = accounts_of(payer, run, now)
    which = reduce(or_, (Q(scope=scope, key=key) for scope, key, _limit in accounts))
    opened = {account.scope: Budget.from_object(account) for account in Account.objects.filter(which)}
    return {scope: opened.get(scope) or Budget(limit=limit) for scope, _key, limit in accounts}


def accounts_ready(accounts: Sequence[tuple[str, str, int]], now: datetime) -> dict[tuple[str, str], tuple[int, int]]:
    """Id and what is left, by scope and key; those that are not there yet are opened. One query where all are."""
    wanted = {"scopes": [scope for scope, _key, _limit in accounts], "keys": [key for _scope, key, _limit in accounts]}
    while True:
        with connection.cursor() as cursor:
            cursor.execute(statements.LOOK, wanted)
            found = {(scope, key): (account, left) for scope, key, account, left in cursor.fetchall()}
        if len(found) == len(accounts):
            return found
        open_missing(accounts, Limits(cents=0), now)


def open_missing(accounts: Sequence[tuple[str, str, int]], limits: Limits, now: datetime) -> None:
    """Open those of scope, key and limit in micro-cents that are not there yet, with their first entries."""
    if not accounts:
        return
    scopes, keys, amounts = zip(*accounts, strict=True)
    values: dict[str, Any] = {
        **link_columns(link_first(*account, now) for account in accounts),
        "scopes": list(scopes),
        "keys": list(keys),
        "limits": list(amounts),
        "thinker_floor": limits.thinker_floor_cents * MICROCENTS,
        "economy_floor": limits.economy_floor_cents * MICROCENTS,
        "escalations": limits.escalations,
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(statements.OPEN, values)


def user_stays(cursor: CursorWrapper, payer: Payer) -> None:
    """Keep who pays from being deleted until the transaction ends. Raises `AccountMissing` when they are gone."""
    if payer.user_id is None:
        return
    cursor.execute(statements.USER_STAYS, {"user": payer.user_id})
    if cursor.fetchone() is None:
        raise AccountMissing(f"There is no user {payer.user_id}.")


def refusal(scope: str, key: str, tier: Tier, amount: int, *, escalation: bool = False) -> Exception:
    """Why an account did not give `amount`: read in the transaction that failed to take it."""
    account = Account.objects.filter(scope=scope, key=key).first()
    if account is None:
        return AccountMissing(f"There is no account for {Scope(scope).label} {key}.")
    budget = Budget.from_object(account)
    if escalation and budget.escalations_used >= budget.escalations_limit:
        return EscalationRefused(f"All {budget.escalations_limit} escalations of this session are used.")
    if scope == Scope.SESSION and not budget.mode.allows(tier):
        return MetacognitionCostExceeded(f"With {budget.left_cents:g} cents left the {tier} tier is not asked.")
    return budget_exceeded(scope, budget.spent + budget.held + amount, budget.limit)


def budget_exceeded(scope: str, wanted: int, limit: int) -> MetacognitionCostExceeded:
    """The error for a limit that `wanted`, with what is spent and held, would pass; both in micro-cents."""
    error = DailyMetacognitionBudgetExceeded if scope in DAYS else MetacognitionCostExceeded
    return error(f"Would exceed {_BUDGETS[Scope(scope)]} budget: {usd(wanted)} > {usd(limit)}")


def usd(microcents: int) -> str:
    """In US dollars, exactly: two decimals, or as many as there are up to eight."""
    dollars, fraction = divmod(microcents, 100 * MICROCENTS)
    return f"${dollars}.{f'{fraction:08}'.rstrip('0').ljust(2, '0')}"


def accounts_locked(hold_id: uuid.UUID, scopes: Sequence[str]) -> list[tuple[AccountEnd, int]]:
    """The hold's accounts of these scopes, locked in their order, each with what it has left."""
    with connection.cursor() as cursor:
        cursor.execute(statements.LOCK_ACCOUNTS, {"hold": hold_id, "scopes": list(scopes)})
        return [(AccountEnd(*end), left) for *end, left in cursor.fetchall()]


def money_move(
    hold: Hold,
    accounts: list[tuple[AccountEnd, int]],
    kind: str,
    cost: int,
    now: datetime,
    *,
    amount: int,
    given_back: int = 0,
    by: int | None = None,
    reason: str = "",
) -> dict[str, Budget]:
    """Take `amount` from what the accounts of a hold hold and charge `cost`; the accounts as they are now, by scope.

    One statement, with the entries and the new ends of their chains.
    """
    movement = Movement.of_call(kind, hold.pk, -amount, cost, now, by, reason)
    values: dict[str, Any] = {
        **link_columns(link_next(end, movement) for end, _left in accounts),
        **_moved(hold, kind, amount, cost, now),
        "given_back": given_back,
        "by": by,
        "reason": reason,
    }
    with connection.cursor() as cursor:
        cursor.execute(statements.CLOSE, values)
        names = [column.name for column in cursor.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    return {row["scope"]: Budget(**{name: row[name] for name in Budget.model_fields}) for row in rows}


def shared_money_move(hold: Hold, kind: str, cost: int, now: datetime) -> None:
    """The same for the accounts that many share, locked in their order: what comes after it is the COMMIT.

    `kind` is of a call, so no entry has a place in a chain.
    """
    values = {**_moved(hold, kind, hold.amount, cost, now), "scopes": list(Account.SHARED)}
    with connection.cursor() as cursor:
        cursor.execute(statements.CLOSE_SHARED, values)


def _moved(hold: Hold, kind: str, amount: int, cost: int, now: datetime) -> dict[str, Any]:
    by_tier = {tier.value: cost if tier.value == hold.tier else 0 for tier in Tier}
    return {"amount": amount, "cost": cost, **by_tier, "hold": hold.pk, "kind": kind, "now": now}
