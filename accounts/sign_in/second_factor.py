"""Whether a browser has shown its second factor. Devices and codes are django-otp's; how long that lasts is ours."""

import time
from typing import Any

import django_otp
from django.conf import settings
from django.core import checks
from django.http import HttpRequest
from django.utils.translation import gettext
from django_otp.models import Device

from accounts.models import Role, User

_ENTERED = "second_factor_entered"
_NEW_KEY = "second_factor_new_key"
_HINT = "Unset STAFF_WITHOUT_SECOND_FACTOR; staff are then asked to set up a second factor when they next enter."


def reason_without() -> str:
    """Why staff need no second factor here, in the reader's language; empty where they need one."""
    reason = settings.STAFF_WITHOUT_SECOND_FACTOR
    return gettext(reason) if reason else ""


def asked_of(user: User) -> bool:
    """Whether this user has to show a second factor before they may do what their role allows."""
    return user.role == Role.STAFF and not settings.STAFF_WITHOUT_SECOND_FACTOR


def entered(request: HttpRequest) -> bool:
    """Whether a code was entered in this browser not long ago, for a device that is still the user's."""
    verified = getattr(request.user, "is_verified", None)
    age = time.time() - request.session.get(_ENTERED, 0)
    return 0 <= age < settings.STAFF_SESSION_HOURS * 3600 and verified is not None and bool(verified())


def given(request: HttpRequest) -> bool:
    """Whether nothing is left to ask of a signed-in user."""
    user = request.user
    return isinstance(user, User) and (not asked_of(user) or entered(request))


def remember(request: HttpRequest, device: Device) -> None:
    """Note that a code of `device`, the user's own, was entered in this browser."""
    request.session.cycle_key()  # an old session key must not enter
    django_otp.login(request, device)
    request.session[_ENTERED] = int(time.time())
    request.session.pop(_NEW_KEY, None)


def key_offered(request: HttpRequest, new: str) -> str:
    """The key that this browser is setting up: the one it was shown before, else `new`.

    It is kept in the browser's session, not with the account: another person who knows the password does not see it.
    """
    key: str = request.session.setdefault(_NEW_KEY, new)
    return key


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
