"""Bringing a session's account down by calls of the ledger, as a model's answers would. Needs no provider."""

from datetime import timedelta
from decimal import Decimal

from gateway.contracts import MICROCENTS, Budget, CallReport, OperationRun, Outcome, Payer, Tier, Usage
from gateway.ledger import Reserved, dispatch, reserve, settle
from gateway.ledger.pricing import DEFAULTS, price_of
from gateway.selectors import budget_of

_MODELS = {tier: model for tier, model, _prices in DEFAULTS}


def hold_cents(session_id: object, cents: float | Decimal, tier: Tier = Tier.THINKER, *, subject: str = "") -> Reserved:
    """Set so much aside, as before a call."""
    payer = Payer(chain=str(session_id), session=str(session_id), subject=subject)
    return reserve(
        payer=payer,
        price=price_of(tier, _MODELS[tier]),
        amount=int(Decimal(str(cents)) * MICROCENTS),
        run=OperationRun(operation="tutor_turn", run="1"),
        escalation=tier == Tier.THINKER,
    )


def spend_cents(session_id: object, cents: float | Decimal, tier: Tier = Tier.THINKER, *, subject: str = "") -> None:
    """One call that costs exactly so much."""
    hold = hold_cents(session_id, cents, tier, subject=subject)
    dispatch(hold, deadline=timedelta(seconds=20), prompt_digest="d" * 64, prompt_bytes=9)
    prices = price_of(tier, hold.model).tokens
    tokens = hold.amount * 1_000 // max(prices.input, prices.embedding)
    settle(hold.id, CallReport(outcome=Outcome.ANSWERED, usage=Usage(input=tokens), latency_ms=321))


def spend_down_to(session_id: object, cents: float | Decimal) -> Budget:
    """Spend what is over `cents`, on the dearest model that the account still pays for."""
    budget = budget_of("session", str(session_id))
    tier = next(one for one in (Tier.THINKER, Tier.CHEAP, Tier.EMBED) if budget.mode.allows(one))
    spend_cents(session_id, Decimal(budget.left) / MICROCENTS - Decimal(str(cents)), tier)
    return budget_of("session", str(session_id))
