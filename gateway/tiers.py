"""Which model stands for which tier, by the settings. Source: spec/3 "Variables de Entorno"; design.md, "Money"."""

from django.conf import settings

from gateway.contracts import Tier
from gateway.errors import ModelNotConfigured


def is_configured(tier: Tier) -> bool:
    """Whether a model is set for the tier and there is a server to ask. No model configured means no model."""
    return bool(settings.MODELS_CONFIGURED and _name_of(tier))


def model_of(tier: Tier) -> str:
    """The tier's model, as the server calls it. Raises `ModelNotConfigured`."""
    if not is_configured(tier):
        raise ModelNotConfigured(f"No model is configured for the tier {tier}.")
    return _name_of(tier)


def _name_of(tier: Tier) -> str:
    names = {Tier.CHEAP: settings.CHEAP_MODEL, Tier.EMBED: settings.EMBED_MODEL, Tier.THINKER: settings.THINKER_MODEL}
    return str(names[tier])
