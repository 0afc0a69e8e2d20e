"""System checks of settings that only together are wrong."""

from typing import Any

from django.conf import settings
from django.core import checks

_HINT = "Unset STAFF_WITHOUT_SECOND_FACTOR; staff are then asked to set up a second factor when they next enter."


@checks.register(checks.Tags.security)
def second_factor_check(app_configs: Any = None, **kwargs: Any) -> list[checks.CheckMessage]:
    """Staff without a second factor: for a reason in words, and not on a server that the public reaches."""
    reason = settings.STAFF_WITHOUT_SECOND_FACTOR
    if not reason:
        return []
    if len(reason.split()) < 2:
        text = f"STAFF_WITHOUT_SECOND_FACTOR is {reason!r}, which is no reason in words."
        return [
            checks.Error(
                text, hint="Say why staff need no second factor here; it stands on every page.", id="accounts.E001"
            )
        ]
    if settings.HTTPS:
        text = f"Staff of {settings.PUBLIC_URL} enter the administration with their password alone."
        return [checks.Warning(text, hint=_HINT, id="accounts.W001")]
    return []
