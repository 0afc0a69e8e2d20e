"""Pages of people who have an account, and where they go on."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme

from accounts.models import User
from accounts.sign_in import second_factor
from accounts.staff import access

P = ParamSpec("P")
_View = Callable[Concatenate[HttpRequest, User, P], HttpResponse]


def next_asked(request: HttpRequest) -> str:
    """The page to go on to, as the request names it. Not checked: it must not be trusted."""
    return request.POST.get("next") or request.GET.get("next") or ""


def next_page(request: HttpRequest, otherwise: str = settings.LOGIN_REDIRECT_URL) -> str:
    """That page when it is one of ours, `otherwise` (an address or its name) when not."""
    target = next_asked(request)
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if safe else resolve_url(otherwise)


def account_required(view: _View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Hand the view its user; guests and strangers sign in first, staff show their second factor where it is asked."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        user = request.user
        if not isinstance(user, User) or user.is_guest:
            return redirect_to_login(request.get_full_path())
        if not second_factor.given(request):
            return access.to_second_factor(request.get_full_path())
        return view(request, user, *args, **kwargs)

    return guarded
