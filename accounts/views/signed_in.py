"""Pages of people who have an account."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse

from accounts import second_factor, staff
from accounts.models import User

P = ParamSpec("P")
_View = Callable[Concatenate[HttpRequest, User, P], HttpResponse]


def account_required(view: _View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Hand the view its user; guests and strangers sign in first, staff show their second factor where it is asked."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        user = request.user
        if not isinstance(user, User) or user.is_guest:
            return redirect_to_login(request.get_full_path())
        if not second_factor.given(request):
            return staff.to_second_factor(request.get_full_path())
        return view(request, user, *args, **kwargs)

    return guarded
