"""Rows of money as contracts of the API, and the examples of its page."""

from decimal import Decimal
from pathlib import Path
from typing import Any

from gateway.api.contracts import BudgetItem, EntryItem, PriceItem
from gateway.contracts import MICROCENTS, Budget
from gateway.models import Account, Entry, Price
from language.word_lists import json_file

EXAMPLES: dict[str, Any] = json_file(Path(__file__).parent / "examples.json")


def budget_item(account: Account) -> BudgetItem:
    """An account."""
    budget = Budget.from_object(account)
    return BudgetItem.from_object(
        account,
        left=budget.left,
        left_cents=f"{Decimal(budget.left) / MICROCENTS:f}",
        spent_by_tier=budget.by_tier,
        mode=budget.mode,
    )


def entry_item(entry: Entry, *, to_staff: bool) -> EntryItem:
    """A movement of money; only staff see who changed a limit and why. Needs `hold` and `by`."""
    return EntryItem.from_object(
        entry,
        call=entry.hold,
        by=entry.by.get_username() if to_staff and entry.by else None,
        reason=entry.reason if to_staff and entry.reason else None,
    )


def price_item(price: Price, *, to_staff: bool) -> PriceItem:
    """A version of a price; only staff see who set it and why. Needs `by`."""
    return PriceItem.from_object(
        price,
        since=price.created_at,
        by=price.by.get_username() if to_staff and price.by else None,
        reason=price.reason if to_staff else None,
    )
