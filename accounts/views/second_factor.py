"""The second factor of staff: entering a code, setting a phone up, and recovery codes."""

from base64 import b32encode
from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

import segno
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render, resolve_url
from django.utils.translation import gettext, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST
from django_otp.models import Device
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import services
from accounts.models import Role, User
from accounts.selectors import second_factor_of
from accounts.sign_in import lockout, second_factor
from accounts.staff import access
from accounts.views.forms import CodeForm
from accounts.views.signed_in import next_asked, next_page

P = ParamSpec("P")
_View = Callable[Concatenate[HttpRequest, User, P], HttpResponse]
_FEW_CODES = 3


def staff_role_required(view: _View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """Hand the view its user, who has the role of staff and may not have shown a second factor yet."""

    @wraps(view)
    def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        user = request.user
        if not isinstance(user, User) or user.is_guest:
            return redirect_to_login(request.get_full_path())
        if user.role != Role.STAFF:
            raise PermissionDenied
        return view(request, user, *args, **kwargs)

    return guarded


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@staff_role_required
def enter(request: HttpRequest, user: User) -> HttpResponse:
    """Ask for a code of the phone or a recovery code; after one was entered, show the settings."""
    device = second_factor_of(user)
    if device is None:
        address = resolve_url("accounts:second_factor_set_up")
        return HttpResponseRedirect(f"{address}?{urlencode({'next': next_asked(request)})}")
    if second_factor.entered(request):
        if request.method == "POST" or next_asked(request):
            return HttpResponseRedirect(next_page(request))
        return render(request, "accounts/second_factor.html", {"device": device})
    form = CodeForm(request.POST or None)
    form.fields["code"].widget.attrs["autofocus"] = True  # nothing else on the page is read first
    key = lockout.key_of_second_factor(user)
    if request.method == "POST" and not lockout.wait_seconds(key, request) and form.is_valid():
        checked = services.second_factor_check(user=user, code=form.cleaned_data["code"])
        if checked.device is not None:
            return _entered(request, user, key, checked.device)
        if checked.wait:
            form.add_error("code", _wait_words(checked.wait))
        else:
            lockout.failure_record(key, request)
            form.add_error(
                "code", gettext("That code is not right, or was used before. Each code of the phone works once.")
            )
    if wait := lockout.wait_seconds(key, request):
        return _locked_out(request, wait)
    context = {"form": form, "next": next_asked(request)}
    return render(request, "accounts/code.html", context, status=422 if form.errors else 200)


@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@staff_role_required
def set_up(request: HttpRequest, user: User) -> HttpResponse:
    """Show the key for a phone, ask for its first code, then show the recovery codes, once."""
    if second_factor_of(user) is not None and not second_factor.entered(request):
        return access.to_second_factor(
            request.get_full_path()
        )  # who replaces a phone has the old one, or a recovery code
    key = second_factor.key_offered(request, services.second_factor_key())
    form = CodeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        made = services.second_factor_set_up(user=user, key=key, code=form.cleaned_data["code"])
        if made is not None:
            device, codes = made
            second_factor.remember(request, device)
            return _recovery_codes(request, codes)
        form.add_error("code", gettext("That is not the code that the phone should show now. Check the phone's clock."))
    context = {"form": form, "next": next_asked(request), "qr": _qr(key, user), "key": _key_words(key)}
    return render(request, "accounts/second_factor_set_up.html", context, status=422 if form.errors else 200)


@require_POST
@never_cache
@staff_role_required
def recovery_codes(request: HttpRequest, user: User) -> HttpResponse:
    """Ten new recovery codes instead of the old ones."""
    if second_factor_of(user) is None or not second_factor.entered(request):
        return access.to_second_factor(resolve_url("accounts:second_factor"))
    return _recovery_codes(request, services.recovery_codes_renew(user=user))


def _entered(request: HttpRequest, user: User, key: str, device: Device) -> HttpResponse:
    lockout.failures_forget(key, request)
    second_factor.remember(request, device)
    device_state = second_factor_of(user)
    if device_state is not None and device_state.recovery_codes <= _FEW_CODES:
        text = ngettext(
            "You have %(count)s recovery code left. Make new ones on the page of your second factor.",
            "You have %(count)s recovery codes left. Make new ones on the page of your second factor.",
            device_state.recovery_codes,
        )
        messages.warning(request, text % {"count": device_state.recovery_codes})
    return HttpResponseRedirect(next_page(request, "admin:index"))


def _locked_out(request: HttpRequest, wait: int) -> HttpResponse:
    response = render(request, "accounts/code_locked_out.html", status=429)
    response.headers["Retry-After"] = str(wait)
    return response


def _recovery_codes(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return render(request, "accounts/recovery_codes.html", {"codes": codes, "next": next_page(request, "admin:index")})


def _wait_words(seconds: int) -> str:
    text = ngettext("Wait %(count)s second, then try again.", "Wait %(count)s seconds, then try again.", seconds)
    return text % {"count": seconds}


def _qr(key: str, user: User) -> str:
    """The code that phones scan, as a data address: dark on white whatever the page's colours are."""
    address = TOTPDevice(user=user, key=key).config_url
    return segno.make_qr(address, error="m").svg_data_uri(scale=5, border=4, dark="#000", light="#fff")


def _key_words(key: str) -> str:
    """The key as people type it: base32 in groups of four."""
    text = b32encode(bytes.fromhex(key)).decode()
    return " ".join(text[start : start + 4] for start in range(0, len(text), 4))
