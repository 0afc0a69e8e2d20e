"""Writes of the gateway."""

from gateway.contracts import MICROCENTS
from gateway.models import Account


def account_open(*, scope: str, key: str, limit_cents: int, escalations: int) -> None:
    """Open the account of `key`, once: an account that exists keeps its limit and what it spent."""
    Account.objects.get_or_create(
        scope=scope,
        key=key,
        defaults={"limit": limit_cents * MICROCENTS, "escalations_limit": escalations},
    )
