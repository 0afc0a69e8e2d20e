"""Which model each tier has, by the settings, and which may answer a call. Source: spec/3 "Variables de Entorno"."""

from django.conf import settings

from gateway.contracts import Tier, TokenPrices
from gateway.errors import ModelNotConfigured, ModelUnavailable
from gateway.ledger.pricing import price_of
from gateway.models import Price


def is_configured(tier: Tier) -> bool:
    """Whether a model is set for the tier and there is a server to ask. No model configured means no model."""
    return bool(settings.MODELS_CONFIGURED and _name_of(tier))


def model_of(tier: Tier) -> str:
    """The tier's model, as the server calls it. Raises `ModelNotConfigured`."""
    if not is_configured(tier):
        raise ModelNotConfigured(f"No model is configured for the tier {tier}.")
    return _name_of(tier)


def candidates_of(tier: Tier, *, fallback: bool) -> list[Price]:
    """Prices of the tier's model and of those that may replace it: configured, priced, no dearer in any kind of token.

    Raises `ModelNotConfigured`, `PriceUnknown`. Two queries at most.
    """
    first = price_of(tier, model_of(tier))
    if not fallback or tier != Tier.THINKER:
        return [first]
    try:
        other = price_of(Tier.CHEAP, model_of(Tier.CHEAP))
    except ModelUnavailable:
        return [first]
    dearer = any(other.tokens[kind] > first.tokens[kind] for kind in TokenPrices.model_fields)
    return [first] if dearer or other.model == first.model else [first, other]


def _name_of(tier: Tier) -> str:
    names = {Tier.CHEAP: settings.CHEAP_MODEL, Tier.EMBED: settings.EMBED_MODEL, Tier.THINKER: settings.THINKER_MODEL}
    return str(names[tier])
