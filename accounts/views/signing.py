"""Signing up, in and out."""

from typing import Any

from django.contrib.auth import login
from django.contrib.auth.forms import AuthenticationForm
from django.contrib.auth.views import LoginView
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from accounts import services
from accounts.models import User
from accounts.views.forms import SignInForm, SignUpForm
from accounts.views.guests import newcomer_count
from accounts.views.signed_in import next_page
from core.errors import RowThere
from core.limits.actions import SIGN_IN, SIGN_UP, action_count

_BACKEND = "django.contrib.auth.backends.ModelBackend"


def guest_of(request: HttpRequest) -> User | None:
    """The guest this browser is, if it is one."""
    user = request.user
    return user if isinstance(user, User) and user.is_guest else None


def _has_account(request: HttpRequest) -> bool:
    """Whether a user with an account is signed in: they need not sign in or up."""
    return request.user.is_authenticated and guest_of(request) is None


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    """Create an account; a guest keeps what they did."""
    if _has_account(request):
        return HttpResponseRedirect(next_page(request))
    if request.method == "POST":
        action_count(request, SIGN_UP)
    form = SignUpForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        newcomer_count(request)
        values = form.cleaned_data
        try:
            user = services.account_sign_up(
                username=values["username"], password=values["password1"], guest=guest_of(request)
            )
        except RowThere:
            form.add_error("username", gettext("A user with that username already exists."))
        else:
            login(request, user, backend=_BACKEND)
            return HttpResponseRedirect(next_page(request))  # redirect() would take some text for a view's name
    context = {"form": form, "guest": guest_of(request), "next": request.GET.get("next", request.POST.get("next", ""))}
    return render(request, "accounts/sign_up.html", context, status=422 if form.errors else 200)


class SignIn(LoginView):
    """Sign in; what a guest did in this browser moves to the account."""

    template_name, authentication_form = "accounts/sign_in.html", SignInForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if _has_account(request):
            return HttpResponseRedirect(next_page(request))
        return super().dispatch(request, *args, **kwargs)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        action_count(request, SIGN_IN)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        guest = guest_of(self.request)
        if guest is not None:
            # First: signing in drops the guest's cookie, their only key, even where what follows fails.
            services.guest_absorb(guest=guest, account=form.get_user())
        return super().form_valid(form)
