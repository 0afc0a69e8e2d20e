"""Access of staff to pages, for the views of all apps."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url

from accounts.models import User
from accounts.sign_in import second_factor
from core.admin.tools import ReadOnlyAdmin

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
    """Return the user of the request when they may see the page's model. Raises `PermissionDenied`."""
    if not page.has_view_permission(request) or not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def access_refused(request: HttpRequest, target: str) -> HttpResponse:
    """The answer to a request without access: to sign in, to the second factor, or 403. `target` is a local address."""
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
    """Run the view for staff with their second factor, where one is required; redirect the others."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not staff_entered(request):
            return access_refused(request, request.get_full_path())
        return view(request, *args, **kwargs)

    return guarded


def _towards(name: str, target: str) -> HttpResponse:
    return HttpResponseRedirect(f"{resolve_url(name)}?{urlencode({'next': target})}")
