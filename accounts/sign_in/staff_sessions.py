"""How long staff stay signed in: hours from signing in, and less when nothing comes from their browser.

Other browsers stay signed in far longer (`SESSION_COOKIE_AGE`): a guest has no other key. The second factor is noted in
the session, so it ends with it.
"""

import time
from functools import partial
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.middleware import AuthenticationMiddleware, get_user
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.models import Role, User

_BEGUN, _SEEN = "staff_since", "staff_seen"
_SEEN_NOTED_EVERY = 60
"""Seconds: not every request of staff is to write to the database."""


class Authentication(AuthenticationMiddleware):
    """Django's own, for which the session of staff ends in time."""

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = SimpleLazyObject(partial(_user_of, request))  # type: ignore[assignment]
        request.auser = sync_to_async(partial(_user_of, request))


def session_begin(sender: Any, request: HttpRequest, user: User, **kwargs: Any) -> None:
    """Receiver of `user_logged_in`. A session that began before its user was staff is none of staff: it has no time."""
    if user.role == Role.STAFF:
        request.session[_BEGUN] = request.session[_SEEN] = int(time.time())
        request.session.set_expiry(settings.STAFF_SESSION_HOURS * 3600)


def _user_of(request: HttpRequest) -> User | AnonymousUser:
    user: Any = get_user(request)
    if getattr(user, "role", None) != Role.STAFF:
        return user  # type: ignore[no-any-return]
    now, session = int(time.time()), request.session
    begun, seen = session.get(_BEGUN, 0), session.get(_SEEN, 0)
    if now - begun >= settings.STAFF_SESSION_HOURS * 3600 or now - seen >= settings.STAFF_IDLE_MINUTES * 60:
        session.flush()
        request._cached_user = AnonymousUser()  # type: ignore[attr-defined]  # what Django's own asks first
        return AnonymousUser()
    if now - seen >= _SEEN_NOTED_EVERY:
        session[_SEEN] = now
    return user  # type: ignore[no-any-return]
