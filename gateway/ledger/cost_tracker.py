"""Whether there is money for an operation, asked before anything is done. Sources: RF-007, scenario 12; RT-009.

What an operation really costs is charged by the client, call by call, under holds that cannot be overspent; this is the
early no, before any work, in the words of the sources and in US dollars.
"""

from decimal import ROUND_CEILING, Decimal
from typing import Self

import structlog
from django.utils import timezone

from accounts.models import User
from gateway.contracts import MICROCENTS, OperationRun, Payer
from gateway.ledger.accounts import Scope, budget_exceeded, budgets_of
from gateway.operations.registry import operation_named

_log = structlog.get_logger(__name__)
Dollars = float | Decimal


class CostTracker:
    """The budgets of a payer: a user's day and share of an agent's month (`user_id` None: none), for guests those of
    all guests, for who is managed that of their integrator's learners, and the agent's month.
    """

    def __init__(
        self,
        user_id: int | None = None,
        *,
        is_guest: bool = False,
        managed_by: int | None = None,
        agent: str = "planner",
    ) -> None:
        self._payer = Payer(chain="cost", user_id=user_id, is_guest=is_guest, managed_by=managed_by, agent=agent)

    @classmethod
    def of(cls, user: User | None, *, agent: str) -> Self:
        """That of a user; None: the agent's month alone."""
        if user is None:
            return cls(agent=agent)
        return cls(user.pk, is_guest=user.is_guest, managed_by=user.managed_by_id, agent=agent)

    def check_budget_before_operation(self, operation: str, estimated_cost: Dollars) -> None:
        """Raise when the operation might cost more than is there: `DailyMetacognitionBudgetExceeded` for the day,
        which is looked at first, else `MetacognitionCostExceeded` for the month or for the operation's own cap.

        `estimated_cost` in US dollars, the most it may come to. One query; none for 0, which is always allowed.
        """
        amount = _microcents(estimated_cost)
        if not amount:
            return
        run = OperationRun(operation=operation, run=operation)
        for scope, budget in budgets_of(self._payer, run, timezone.now()).items():
            wanted = budget.spent + budget.held + amount
            if wanted > budget.limit:
                raise budget_exceeded(scope, wanted, budget.limit)
        cap = operation_named(operation).cap
        if cap is not None and amount > cap:
            raise budget_exceeded(Scope.OPERATION, amount, cap)

    def record_operation_cost(self, operation: str, actual_cost: Dollars) -> None:
        """Log what it came to, in US dollars. The ledger has it already, call by call: no account moves."""
        _log.info("operation paid", operation=operation, dollars=float(actual_cost))


def _microcents(dollars: Dollars) -> int:
    exact = Decimal(str(dollars)) * 100 * MICROCENTS
    return int(exact.to_integral_value(ROUND_CEILING))
