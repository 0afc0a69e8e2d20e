"""The door of every page for staff, as views above ask for it."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url

from accounts import second_factor
from accounts.models import User
from core.admin_tools import ReadOnlyAdmin

P = ParamSpec("P")
_View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def second_factor_given(request: HttpRequest) -> bool:
    """Whether a signed-in user has shown their second factor, or none is asked of them."""
    return second_factor.given(request)


def staff_entered(request: HttpRequest) -> bool:
    """Whether this is staff that may enter the administration now."""
    user = request.user
    return bool(user.is_active and user.is_staff and second_factor.given(request))


def staff_of(page: ReadOnlyAdmin, request: HttpRequest) -> User:
    """Whoever asks, when they may see what the page is about. Raises `PermissionDenied`."""
    if not page.has_view_permission(request) or not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def door(request: HttpRequest, target: str) -> HttpResponse:
    """Where somebody who may not enter goes: to sign in, to their second factor, or no further. `target` is local."""
    user = request.user
    if not isinstance(user, User) or not user.is_active or user.is_guest:
        return _towards("accounts:sign_in", target)
    if not user.is_staff:
        return render(request, "accounts/not_staff.html", status=403)
    return to_second_factor(target)


def to_second_factor(target: str) -> HttpResponse:
    """To the page that asks for a code, and back to `target`, which is local."""
    return _towards("accounts:second_factor", target)


def staff_required(view: _View[P]) -> _View[P]:
    """Let in staff who have shown their second factor, where one is asked for; show the others the way."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not staff_entered(request):
            return door(request, request.get_full_path())
        return view(request, *args, **kwargs)

    return guarded


def _towards(name: str, target: str) -> HttpResponse:
    return HttpResponseRedirect(f"{resolve_url(name)}?{urlencode({'next': target})}")
