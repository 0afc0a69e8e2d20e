"""The user of a page: one with an account, or a guest, who is made when a visitor does something that is to be kept."""

from django.conf import settings
from django.contrib.auth import login
from django.http import HttpRequest

from accounts.models import User
from accounts.services import guest_create
from core.limits.actions import limit_require
from core.limits.windows import HOUR, network_key

_BACKEND = "django.contrib.auth.backends.ModelBackend"


def user_of(request: HttpRequest) -> User | None:
    """Who is signed in, guests too."""
    return request.user if isinstance(request.user, User) else None


def user_or_guest(request: HttpRequest) -> User:
    """Who is signed in; else a new guest, signed in. Raises `TooManyRequests`, as `newcomer_count` does."""
    user = user_of(request)
    if user is None:
        newcomer_count(request)
        user = guest_create()
        login(request, user, backend=_BACKEND)
    return user


def newcomer_count(request: HttpRequest) -> None:
    """Count a guest or an account that is about to be made, for its address. One statement.

    Raises `TooManyRequests` where `NEWCOMERS_ADDRESS` is used up for this hour.
    """
    limit_require({f"newcomers:{network_key(request)}": settings.NEWCOMERS_ADDRESS}, seconds=HOUR)
