"""Rows of money as the API tells of them, and examples for its page."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from core.contracts import Contract
from gateway.api_contracts import (
    AdjustmentMade,
    BudgetItem,
    ChargeItem,
    EntryCall,
    EntryItem,
    PriceItem,
    PriceParts,
    SpentByTier,
)
from gateway.contracts import MICROCENTS, BudgetMode, Outcome, Tier, TokenPrices
from gateway.models import Account, Entry, Hold, Price
from gateway.selectors import budget_in


def budget_item(account: Account) -> BudgetItem:
    """An account."""
    money = budget_in(account)
    return BudgetItem.model_validate(
        {
            "id": account.pk,
            "scope": account.scope,
            "key": account.key,
            "limit_microcents": money.limit,
            "spent_microcents": money.spent,
            "held_microcents": money.held,
            "left_microcents": money.left,
            "left_cents": cents_exact(money.left),
            "spent_by_tier": SpentByTier(cheap=money.spent_cheap, embed=money.spent_embed, thinker=money.spent_thinker),
            "mode": money.mode,
            "escalations_limit": money.escalations_limit,
            "escalations_used": money.escalations_used,
            "opened_at": account.opened_at,
        }
    )


def entry_item(entry: Entry, *, to_staff: bool) -> EntryItem:
    """A movement of money; who changed a limit and why is told to staff alone. Needs `hold` and `by`."""
    hold = entry.hold
    call = hold and EntryCall(
        id=hold.pk, tier=Tier(hold.tier), model=hold.model, operation=hold.operation, attempt=hold.attempt
    )
    return EntryItem.model_validate(
        {
            "id": entry.pk,
            "kind": entry.kind,
            "granted_microcents": entry.granted,
            "available_microcents": entry.available,
            "held_microcents": entry.held,
            "spent_microcents": entry.spent,
            "at": entry.at,
            "call": call,
            "by": entry.by.get_username() if to_staff and entry.by else None,
            "reason": entry.reason if to_staff and entry.reason else None,
        }
    )


def charge_item(hold: Hold) -> ChargeItem:
    """A settled call."""
    return ChargeItem.model_validate(
        {
            **{name: getattr(hold, name) for name in ("id", "model", "operation", "unverified", "chain", "subject")},
            **{name: getattr(hold, name) for name in ("reserved_at", "dispatched_at", "settled_at")},
            "tier": hold.tier,
            "outcome": hold.outcome,
            "amount_microcents": hold.amount,
            "cost_microcents": hold.cost,
        }
    )


def price_item(price: Price, *, to_staff: bool) -> PriceItem:
    """A version of a price; who set it and why is told to staff alone. Needs `by`."""
    return PriceItem(
        **{name: getattr(price, name) for name in PriceParts.model_fields},
        id=price.pk,
        tier=Tier(price.tier),
        model=price.model,
        version=price.version,
        since=price.created_at,
        by=price.by.get_username() if to_staff and price.by else None,
        reason=price.reason if to_staff else None,
    )


def prices_given(parts: PriceParts) -> TokenPrices:
    """The figures of a price as the ledger takes them."""
    return TokenPrices(**{name: parts[name] for name in TokenPrices.model_fields})


def cents_exact(microcents: int) -> str:
    """US cents in decimals, as many as there are."""
    return f"{Decimal(microcents) / MICROCENTS:f}"


def _json(value: Contract) -> Any:
    return value.model_dump(mode="json", by_alias=True)


_AT = datetime(2026, 1, 31, 12, 0, tzinfo=UTC)
_SESSION = "6f1c9a52-5d0e-4c53-9a3e-0d6f0a4b7c11"
_CALL = UUID("0c9e7b54-9d1f-4c3d-8a43-5a2f1be0d6aa")
_BUDGET = BudgetItem(
    id=31,
    scope="session",
    key=_SESSION,
    limit_microcents=100_000_000,
    spent_microcents=1_912_500,
    held_microcents=0,
    left_microcents=98_087_500,
    left_cents="98.0875",
    spent_by_tier=SpentByTier(cheap=312_500, embed=0, thinker=1_600_000),
    mode=BudgetMode.FULL,
    escalations_limit=5,
    escalations_used=1,
    opened_at=_AT - timedelta(minutes=5),
)
_ENTRY = EntryItem(
    id=902,
    kind="settle",
    granted_microcents=0,
    available_microcents=1_400_000,
    held_microcents=-3_000_000,
    spent_microcents=1_600_000,
    at=_AT,
    call=EntryCall(id=_CALL, tier=Tier.THINKER, model="o3-mini", operation="escalate_grade", attempt=1),
    by=None,
    reason=None,
)
_ADJUSTED = EntryItem(
    id=903,
    kind="adjust",
    granted_microcents=-50_000_000,
    available_microcents=50_000_000,
    held_microcents=0,
    spent_microcents=0,
    at=_AT + timedelta(hours=1),
    call=None,
    by="staff",
    reason="A long lesson, agreed with the school.",
)
_MORE = {"limit_microcents": 150_000_000, "left_microcents": 148_087_500, "left_cents": "148.0875"}
_CHARGE = ChargeItem(
    id=_CALL,
    tier=Tier.THINKER,
    model="o3-mini",
    operation="escalate_grade",
    outcome=Outcome.CUT,
    amount_microcents=3_000_000,
    cost_microcents=3_000_000,
    unverified=True,
    chain=_SESSION,
    subject="turn:5",
    reserved_at=_AT,
    dispatched_at=_AT + timedelta(milliseconds=4),
    settled_at=_AT + timedelta(seconds=3),
)
_PRICE = PriceItem(
    id=1,
    tier=Tier.CHEAP,
    model="gpt-4o-mini",
    version=1,
    input=500_000,
    cached=500_000,
    output=500_000,
    reasoning=500_000,
    embedding=0,
    since=_AT,
    by=None,
    reason='spec/3 "Tiers de Modelos"',
)
BUDGET, ENTRY, CHARGE, PRICE = _json(_BUDGET), _json(_ENTRY), _json(_CHARGE), _json(_PRICE)
ADJUSTED = _json(AdjustmentMade(entry=_ADJUSTED, budget=_BUDGET.model_copy(update=_MORE)))
CORRECTED = {**CHARGE, "cost_microcents": 182_000, "unverified": False}
