"""Reads of the gateway."""

from gateway.contracts import Budget
from gateway.models import Account


def budget_of(scope: str, key: str) -> Budget:
    """The account's money now. Raises `Account.DoesNotExist` for one that was never opened. One query."""
    row = Account.objects.values("limit", "spent", "held", "escalations_limit", "escalations_used").get(
        scope=scope, key=key
    )
    return Budget(**row)
