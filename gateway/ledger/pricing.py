"""What calls cost: prices by tier and model, and the arithmetic on them. Costs round up. Source: design.md, "Money"."""

from django.db import connection, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from gateway.contracts import Tier, TokenPrices, Usage
from gateway.errors import PriceRefused, PriceUnknown
from gateway.events import record
from gateway.models import Price
from telemetry.contracts import EventDraft, EventName

PER = 1_000
"""Tokens that a price is for."""


def _by_token(price: int) -> TokenPrices:
    return TokenPrices(input=price, cached=price, output=price, reasoning=price, embedding=0)


DEFAULTS = (
    # spec/3 "Tiers de Modelos": US$ 0.005, 0.001 and 0.025 per 1,000 tokens
    (Tier.CHEAP, "gpt-4o-mini", _by_token(500_000)),
    (Tier.EMBED, "text-embedding-3-small", _by_token(0).model_copy(update={"embedding": 100_000})),
    (Tier.THINKER, "o3-mini", _by_token(2_500_000)),
)
_SEED = """
INSERT INTO gateway_price (tier, model, version, input, cached, output, reasoning, embedding, created_at, reason)
VALUES (%s, %s, 1, %s, %s, %s, %s, %s, now(), 'spec/3 "Tiers de Modelos"')
ON CONFLICT (tier, model, version) DO NOTHING
"""


def price_of(tier: Tier, model: str) -> Price:
    """The newest price. Raises `PriceUnknown`: a model without a price is not called. One query."""
    price = Price.objects.filter(tier=tier, model=model).order_by("-version").first()
    if price is None:
        raise PriceUnknown(f"{model} has no price for the tier {tier}: set one before it is asked.")
    return price


def cost_of(tier: Tier, prices: TokenPrices, usage: Usage) -> int:
    """Micro-cents of what a provider counted, rounded up. Cached and reasoning tokens are charged once."""
    if tier == Tier.EMBED:
        return _up(usage.input * prices.embedding)
    parts = (
        (usage.input - usage.cached) * prices.input,
        usage.cached * prices.cached,
        (usage.output - usage.reasoning) * prices.output,
        usage.reasoning * prices.reasoning,
    )
    return _up(sum(parts))


def worst_cost(tier: Tier, prices: TokenPrices, *, input_tokens: int, output_tokens: int) -> int:
    """Micro-cents of at most so many tokens, whichever of them turn out cached or spent on reasoning."""
    if tier == Tier.EMBED:
        return _up(input_tokens * prices.embedding)
    dearest = max(prices.output, prices.reasoning)
    return _up(input_tokens * max(prices.input, prices.cached) + output_tokens * dearest)


@transaction.atomic
def price_set(*, tier: Tier, model: str, prices: TokenPrices, after: int, reason: str, by: User | None) -> Price:
    """Store the next version of a price and its event; `after` is the version it follows, 0 for a model without one.

    Calls that are under way keep the price they began with. Raises `PriceRefused` when another version came meanwhile,
    or when nothing in it is new.
    """
    with connection.cursor() as cursor:  # two at once stand in line; there may be no row to lock yet
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('gateway.price'), hashtext(%s))", [f"{tier} {model}"])
    newest = Price.objects.filter(tier=tier, model=model).order_by("-version").first()
    if (newest.version if newest else 0) != after:
        raise PriceRefused(
            _("The price of %(model)s has another version meanwhile: look at it again.") % {"model": model}
        )
    if newest is not None and newest.tokens == prices:
        raise PriceRefused(_("This is what %(model)s costs already.") % {"model": model})
    row = Price.objects.create(tier=tier, model=model, version=after + 1, by=by, reason=reason, **prices.model_dump())
    data = {"tier": tier.value, "model": model, "version": row.version, "by": by.pk if by else None}
    record([EventDraft(event=EventName.PRICE_SET, data={**data, **prices.model_dump()})])
    return row


def prices_seed() -> None:
    """Put the documented prices in where they are not yet."""
    with connection.cursor() as cursor:
        for tier, model, prices in DEFAULTS:
            figures = (prices.input, prices.cached, prices.output, prices.reasoning, prices.embedding)
            cursor.execute(_SEED, [tier.value, model, *figures])


def _up(micro_per_1000: int) -> int:
    return -(-micro_per_1000 // PER)
