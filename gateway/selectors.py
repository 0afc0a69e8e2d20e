"""Reads of the gateway."""

from collections.abc import Collection
from datetime import datetime

from django.db import connection
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone

from gateway.contracts import Budget, OperationRun, Payer, Tier
from gateway.ledger.accounts import accounts_of
from gateway.models import Account, Alert, Hold
from gateway.tiers import is_configured

CALLS_AT_MOST = 100

# Plain SQL: part of every learner's turn. The columns in the order of `Budget`.
_BUDGET = """
SELECT "limit", spent, held, escalations_limit, escalations_used, thinker_floor, economy_floor,
       spent_cheap, spent_embed, spent_thinker
FROM gateway_account WHERE scope = %s AND key = %s
"""


def budget_of(scope: str, key: str) -> Budget:
    """The account's money now. Raises `Account.DoesNotExist` for one that was never opened. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_BUDGET, [scope, key])
        row = cursor.fetchone()
    if row is None:
        raise Account.DoesNotExist(f"no account of {scope} {key}")
    return Budget(**dict(zip(Budget.model_fields, row, strict=True)))


def budget_in(account: Account) -> Budget:
    """The money of an account that was read already, as it was then. No query."""
    return Budget(**{name: getattr(account, name) for name in Budget.model_fields})


def day_budgets(user_id: int, *, is_guest: bool, now: datetime | None = None) -> list[Budget]:
    """A user's money of the day (UTC), for a guest also that of all guests, untouched where nothing was called yet.

    One query.
    """
    payer = Payer(chain="consult", user_id=user_id, is_guest=is_guest)
    run = OperationRun(operation="consult", run="none")
    scopes = (Account.Scope.USER_DAY, Account.Scope.GUESTS_DAY)
    wanted = [one for one in accounts_of(payer, run, now or timezone.now()) if one[0] in scopes]
    which = Q()
    for scope, key, _limit in wanted:
        which |= Q(scope=scope, key=key)
    found = {account.scope: budget_in(account) for account in Account.objects.filter(which)}
    unused = {"spent": 0, "held": 0, "escalations_limit": 0, "escalations_used": 0}
    return [found.get(scope) or Budget(limit=limit, **unused) for scope, _key, limit in wanted]


def models_configured() -> bool:
    """Whether there is a language model to ask at all; embedding alone is none."""
    return is_configured(Tier.CHEAP) or is_configured(Tier.THINKER)


def calls_of(chain: str, since: datetime) -> list[Hold]:
    """The calls of a chain that were reserved since then, in order; of more than `CALLS_AT_MOST` the latest."""
    calls = Hold.objects.filter(chain=chain, reserved_at__gte=since).order_by("-reserved_at", "-pk")
    return list(calls[:CALLS_AT_MOST])[::-1]


def alerts_open(limit: int, kinds: Collection[Alert.Kind] | None = None) -> list[Alert]:
    """Alerts that nobody of the staff has seen yet, the latest first, at most so many; of all kinds, or of these."""
    alerts = Alert.objects.filter(seen_at=None)
    if kinds is not None:
        alerts = alerts.filter(kind__in=kinds)
    return list(alerts.order_by("-raised_at", "-pk")[:limit])


def alert_url(alert: Alert) -> str:
    """Where staff look at an alert."""
    return reverse("admin:gateway_alert_change", args=[alert.pk])


def alerts_url() -> str:
    """Where staff go through those that nobody has seen yet."""
    return f"{reverse('admin:gateway_alert_changelist')}?seen=no"
