"""Reads of the gateway."""

from collections.abc import Collection
from datetime import datetime

from django.db import connection
from django.urls import reverse
from django.utils import timezone

from gateway.client.tiers import is_configured
from gateway.contracts import Budget, OperationRun, Payer, Tier
from gateway.ledger.accounts import DAYS, budgets_of
from gateway.models import Account, Alert, Hold

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


def day_budgets(user_id: int, *, is_guest: bool, now: datetime | None = None) -> list[Budget]:
    """A user's money of the day (UTC), for a guest also that of all guests, untouched where nothing was called yet.

    One query.
    """
    payer = Payer(chain="consult", user_id=user_id, is_guest=is_guest)
    budgets = budgets_of(payer, OperationRun(operation="consult", run="none"), now or timezone.now())
    return [budget for scope, budget in budgets.items() if scope in DAYS]


def models_configured() -> bool:
    """Whether there is a language model to ask at all; embedding alone is none."""
    return is_configured(Tier.CHEAP) or is_configured(Tier.THINKER)


def calls_of(chain: str, since: datetime) -> list[Hold]:
    """The calls of a chain that were reserved since then, in order; of more than `CALLS_AT_MOST` the latest."""
    calls = Hold.objects.filter(chain=chain, reserved_at__gte=since).order_by("-reserved_at", "-pk")
    return list(calls[:CALLS_AT_MOST])[::-1]


def alerts_open(limit: int, kinds: Collection[Alert.Kind] | None = None) -> list[Alert]:
    """Alerts that are not seen yet, the latest first, at most so many; of all kinds, or of these."""
    alerts = Alert.objects.filter(seen_at=None)
    if kinds is not None:
        alerts = alerts.filter(kind__in=kinds)
    return list(alerts.order_by("-raised_at", "-pk")[:limit])


def alert_url(alert: Alert) -> str:
    """Where staff look at an alert."""
    return reverse("admin:gateway_alert_change", args=[alert.pk])


def alerts_url() -> str:
    """The address of the alerts that are not seen yet."""
    return f"{reverse('admin:gateway_alert_changelist')}?seen=no"
