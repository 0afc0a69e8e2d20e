"""Whether there is money for an operation, asked before anything is done. Sources: RF-007, scenario 12; RT-009.

What an operation really costs is charged by the door, call by call, under holds that cannot be overspent; this is the
early no, before any work, in the words of the sources and in US dollars.
"""

from decimal import ROUND_CEILING, Decimal

import structlog
from django.db.models import Q
from django.utils import timezone

from gateway.contracts import MICROCENTS, OperationRun, Payer
from gateway.errors import DailyMetacognitionBudgetExceeded, MetacognitionCostExceeded
from gateway.ledger.accounts import Scope, accounts_of, usd
from gateway.models import Account
from gateway.operations import operation_named

_log = structlog.get_logger(__name__)
_DAILY = (Scope.USER_DAY, Scope.GUESTS_DAY)
Dollars = float | Decimal


class CostTracker:
    """The budgets of a payer: a user's day (`user_id` None: nobody's), for guests all guests' day, an agent's month."""

    def __init__(self, user_id: int | None = None, *, is_guest: bool = False, agent: str = "planner") -> None:
        self._payer = Payer(chain="cost", user_id=user_id, is_guest=is_guest, agent=agent)

    def check_budget_before_operation(self, operation: str, estimated_cost: Dollars) -> None:
        """Raise when the operation might cost more than is there: `DailyMetacognitionBudgetExceeded` for the day,
        which is looked at first, else `MetacognitionCostExceeded` for the month or for the operation's own cap.

        `estimated_cost` in US dollars, the most it may come to. One query; none for 0, which is always allowed.
        """
        amount = _microcents(estimated_cost)
        if not amount:
            return
        run = OperationRun(operation=operation, run=operation)
        wanted = accounts_of(self._payer, run, timezone.now())
        which = Q()
        for scope, key, _limit in wanted:
            which |= Q(scope=scope, key=key)
        found = {account.scope: account for account in Account.objects.filter(which)}
        for scope, _key, limit in wanted:
            account = found.get(scope)
            taken, most = (account.spent + account.held, account.limit) if account else (0, limit)
            if taken + amount > most:
                raise _refusal(scope, taken + amount, most)
        cap = operation_named(operation).cap
        if cap is not None and amount > cap:
            raise MetacognitionCostExceeded(f"Would exceed operation budget: {usd(amount)} > {usd(cap)}")

    def record_operation_cost(self, operation: str, actual_cost: Dollars) -> None:
        """Log what it came to, in US dollars. The ledger has it already, call by call: no account moves."""
        _log.info("operation paid", operation=operation, dollars=float(actual_cost))


def _refusal(scope: str, wanted: int, limit: int) -> MetacognitionCostExceeded:
    if scope in _DAILY:
        return DailyMetacognitionBudgetExceeded(f"Would exceed daily budget: {usd(wanted)} > {usd(limit)}")
    return MetacognitionCostExceeded(f"Would exceed monthly budget: {usd(wanted)} > {usd(limit)}")


def _microcents(dollars: Dollars) -> int:
    exact = Decimal(str(dollars)) * 100 * MICROCENTS
    return int(exact.to_integral_value(ROUND_CEILING))
