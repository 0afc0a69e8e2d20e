"""A session with every kind of entry, and hands that may do what the database refuses everybody else."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from gateway.contracts import MICROCENTS, OperationRun, Outcome, Payer, Tier
from gateway.ledger import adjust, correct, expire, release, settle
from tests.gateway.ledger_helpers import LATER, answered, costing, held, lesson, lost, sent, session_account
from tests.hands import tampering

Sql = Callable[..., None]


@pytest.fixture
def tamper(db: None) -> Sql:
    """Change rows as who has the database's password could: past constraints and triggers, until the test ends."""

    def run(sql: str, *values: Any, without: tuple[str, str] | None = None) -> None:
        with tampering(), connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            if without:
                table, constraint = without
                cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")
            cursor.execute(sql, values)

    return run


@pytest.fixture
def busy(learner: User, staff: User) -> Payer:
    """A session in which everything has happened that may happen to a call."""
    payer = lesson(user_id=learner.pk, is_guest=True, managed_by=staff.pk)
    capped = OperationRun(operation="create_plan", run="plan-1", cap=20 * MICROCENTS)
    settle(sent(payer), costing(500_000))
    settle(sent(payer, run=capped), costing(2_000_000))  # more than it held
    settle(sent(payer, 3 * MICROCENTS, Tier.THINKER, escalation=True), answered(1000))
    settle(sent(payer, tier=Tier.EMBED), answered(1000))
    settle(sent(payer), lost(Outcome.REFUSED))
    unverified = sent(payer, 4 * MICROCENTS, Tier.THINKER, escalation=True)
    settle(unverified, lost(Outcome.CUT))
    correct(hold_id=unverified, by=staff, reason="The bill.", cost=1)
    settle(sent(payer), lost())
    release(held(payer, tier=Tier.THINKER, escalation=True).id)
    held(payer, tier=Tier.THINKER, escalation=True)
    sent(payer)
    expire(now=LATER)
    held(payer, 7, now=LATER)
    sent(payer, 8, Tier.THINKER, escalation=True, now=LATER)
    adjust(account_id=session_account().pk, by=staff, reason="More.", limit=120 * MICROCENTS)
    return payer
