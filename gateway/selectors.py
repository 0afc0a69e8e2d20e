"""Reads of the gateway."""

from django.db import connection

from gateway.contracts import Budget
from gateway.models import Account

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
