"""System checks of the keys that audit entries are signed with."""

from typing import Any

from django.conf import settings
from django.core import checks

SHORTEST = 32  # characters, as of a key in hex that has 128 bits


@checks.register(checks.Tags.security)
def audit_keys_check(app_configs: Any = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """A key that can be guessed proves nothing."""
    places = [str(place) for place, key in enumerate(settings.AUDIT_KEYS, start=1) if len(key) < SHORTEST]
    if not places:
        return []
    text = f"AUDIT_KEYS: key {', '.join(places)} has fewer than {SHORTEST} characters and could be guessed."
    hint = "Put a random one in front, made by: openssl rand -hex 32. The short one stays, for what it signed."
    return [checks.Warning(text, hint=hint, id="routing.W001")]
