"""Which models may answer a call."""

from dataclasses import dataclass

from gateway.contracts import Tier, TokenPrices
from gateway.errors import ModelUnavailable
from gateway.pricing import PriceNow, price_of
from gateway.tiers import model_of


@dataclass(frozen=True)
class Candidate:
    """A model that may answer, and what its tokens cost now."""

    tier: Tier
    model: str
    price: PriceNow


def candidates_of(tier: Tier, *, fallback: bool) -> list[Candidate]:
    """The tier's model, then those that may stand in: configured, priced, and no dearer in any kind of token.

    Raises `ModelNotConfigured`, `PriceUnknown`. Two queries at most.
    """
    first = _candidate(tier)
    if not fallback or tier != Tier.THINKER:
        return [first]
    try:
        other = _candidate(Tier.CHEAP)
    except ModelUnavailable:
        return [first]
    dearer = any(other.price.tokens[kind] > first.price.tokens[kind] for kind in TokenPrices.model_fields)
    return [first] if dearer or other.model == first.model else [first, other]


def _candidate(tier: Tier) -> Candidate:
    model = model_of(tier)
    return Candidate(tier, model, price_of(tier, model))
