"""Calls without a model, and what the books must say of them: a second opinion beside `ledger_check`."""

import time
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import connection

from gateway.contracts import MICROCENTS, CallReport, Limits, OperationRun, Outcome, Payer, Tier, Usage
from gateway.ledger import Reserved, account_open, dispatch, ledger_check, reserve
from gateway.ledger.pricing import DEFAULTS, price_of
from gateway.models import Account, Hold, Price
from telemetry.chains.verification import chains_verify
from telemetry.models import Event

NOON = datetime(2026, 3, 10, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
DEADLINE = timedelta(seconds=20)
MODELS = {tier: model for tier, model, _prices in DEFAULTS}
LESSON = Limits(cents=100, escalations=5, thinker_floor_cents=10, economy_floor_cents=5)
TURN = OperationRun(operation="tutor_turn", run="1")

# Each finds what is wrong, one row a fault. Not the statements of the product, so that both are not wrong alike.
_FAULTS = {
    "entries are the account": """
        SELECT a.scope, a.key FROM gateway_account a LEFT JOIN gateway_entry e ON e.account_id = a.id
        GROUP BY a.id HAVING coalesce(sum(e.granted + e.available + e.held + e.spent), 0) <> 0
            OR a."limit" <> coalesce(-sum(e.granted), 0) OR a.held <> coalesce(sum(e.held), 0)
            OR a.spent <> coalesce(sum(e.spent), 0)""",
    "over its limit": 'SELECT scope, key FROM gateway_account WHERE spent + held > "limit"',
    "held is open holds": """
        SELECT a.scope, a.key FROM gateway_account a WHERE held <> (SELECT coalesce(sum(h.amount), 0)
            FROM gateway_hold h JOIN gateway_entry e ON e.hold_id = h.id AND e.kind = 'reserve'
            WHERE e.account_id = a.id AND h.state IN ('held', 'dispatched'))""",
    "spent is settled, by tier": """
        SELECT a.scope, a.key FROM gateway_account a,
        LATERAL (SELECT coalesce(sum(h.cost), 0) AS all_tiers,
                coalesce(sum(h.cost) FILTER (WHERE h.tier = 'cheap'), 0) AS cheap,
                coalesce(sum(h.cost) FILTER (WHERE h.tier = 'thinker'), 0) AS thinker
            FROM gateway_hold h JOIN gateway_entry e ON e.hold_id = h.id AND e.kind = 'reserve'
            WHERE e.account_id = a.id AND h.state = 'settled') AS s
        WHERE (a.spent, a.spent_cheap, a.spent_thinker) <> (s.all_tiers, s.cheap, s.thinker)""",
    "escalations are those of calls": """
        SELECT a.scope, a.key FROM gateway_account a WHERE escalations_used <> (SELECT count(*) FROM gateway_hold h
            JOIN gateway_entry e ON e.hold_id = h.id AND e.kind = 'reserve' WHERE e.account_id = a.id
            AND a.scope = 'session' AND h.escalation AND h.state IN ('held', 'dispatched', 'settled'))""",
    "reserved once and closed once in each account": """
        SELECT h.id, h.state FROM gateway_hold h JOIN gateway_entry e ON e.hold_id = h.id GROUP BY h.id, e.account_id
        HAVING count(*) FILTER (WHERE e.kind = 'reserve') <> 1
            OR count(*) FILTER (WHERE e.kind IN ('settle', 'release', 'expire'))
               <> CASE WHEN h.state IN ('held', 'dispatched') THEN 0 ELSE 1 END""",
    "a settled call has one event": """
        SELECT h.id FROM gateway_hold h LEFT JOIN telemetry_event e ON e.event = 'budget.usage'
            AND e.chain_id = h.chain AND e.data ->> 'hold' = h.id::text
        GROUP BY h.id HAVING count(e.id) <> CASE h.state WHEN 'settled' THEN 1 ELSE 0 END""",
}


def assert_books_right(*, open_holds: int | None = None) -> None:
    """Nothing is wrong in any account or chain; `open_holds` is how many calls may be under way, None for any."""
    with connection.cursor() as cursor:
        for fault, query in _FAULTS.items():
            cursor.execute(query)
            assert cursor.fetchall() == [], fault
    assert ledger_check().faults == ()
    assert [check.fault for check in chains_verify() if check.fault] == []
    if open_holds is not None:
        assert Hold.objects.filter(state__in=Hold.OPEN).count() == open_holds


def cents(amount: float) -> int:
    """In micro-cents."""
    return round(amount * MICROCENTS)


def lesson(key: str = "lesson", limits: Limits = LESSON, **changes: Any) -> Payer:
    """A session's account, opened, and who pays from it; nobody's day unless a user is given."""
    account_open(scope=Account.Scope.SESSION, key=key, limits=limits)
    return Payer(chain=key, session=key, **changes)


def person(user_id: int, *, is_guest: bool = False) -> Payer:
    """Somebody outside any session."""
    return Payer(chain=f"user-{user_id}", user_id=user_id, is_guest=is_guest)


def held(payer: Payer, amount: int = MICROCENTS, tier: Tier = Tier.CHEAP, **changes: Any) -> Reserved:
    """A reserved call at noon, one cent unless told."""
    values: dict[str, Any] = {"price": price_of(tier, MODELS[tier]), "run": TURN, "now": NOON, **changes}
    return reserve(payer=payer, amount=amount, **values)


def sent(payer: Payer, amount: int = MICROCENTS, tier: Tier = Tier.CHEAP, **changes: Any) -> uuid.UUID:
    """A dispatched call: the id of its hold."""
    hold = held(payer, amount, tier, **changes)
    now = changes.get("now", NOON)
    return dispatch(hold, deadline=DEADLINE, prompt_digest="d" * 64, prompt_bytes=9, now=now).id


def answered(tokens: int = 1000, **parts: int) -> CallReport:
    """The provider answered and counted `tokens` of input, 0.5 cents the 1,000 at the cheap tier's first price."""
    return CallReport(outcome=Outcome.ANSWERED, usage=Usage(input=tokens, **parts), latency_ms=300)


def costing(microcents: int) -> CallReport:
    """A report that costs so much at the cheap tier's first price, 500 micro-cents a token."""
    tokens, rest = divmod(microcents, 500)
    assert rest == 0, "no whole number of tokens"
    return answered(tokens)


def lost(outcome: Outcome = Outcome.LOST) -> CallReport:
    """A report without the provider's count."""
    return CallReport(outcome=outcome)


def account(scope: str, key: str) -> Account:
    return Account.objects.get(scope=scope, key=key)


def session_account(key: str = "lesson") -> Account:
    return account(Account.Scope.SESSION, key)


def money_of(row: Account) -> tuple[int, int]:
    """Spent and held, in micro-cents."""
    return row.spent, row.held


def hold_of(hold_id: uuid.UUID) -> Hold:
    return Hold.objects.get(pk=hold_id)


def events_of(chain: str, name: str) -> list[dict[str, Any]]:
    """What the chain tells under this name, oldest first."""
    rows = Event.objects.filter(chain_id=chain, event=name).order_by("seq")
    return [dict(event.data) for event in rows]


def price_now(tier: Tier = Tier.CHEAP) -> Price:
    return price_of(tier, MODELS[tier])


# Of pg_locks, as what pg_stat_activity shows stays the same within a transaction.
_WAITING = """
SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND pid IN (
    SELECT pid FROM pg_locks JOIN pg_database AS here ON here.oid = database WHERE here.datname = current_database())
"""


def until_somebody_waits(count: int = 1) -> None:
    """Return once `count` transactions of this database wait for a lock."""
    deadline = time.monotonic() + 30
    with connection.cursor() as cursor:
        while time.monotonic() < deadline:
            cursor.execute(_WAITING)
            if cursor.fetchone()[0] >= count:
                return
    raise AssertionError("nobody waited for the lock")
