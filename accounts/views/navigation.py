"""Where people go on."""

from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import resolve_url
from django.utils.http import url_has_allowed_host_and_scheme


def next_asked(request: HttpRequest) -> str:
    """What the request names as the page to go on to; whoever reads it may not trust it."""
    return request.POST.get("next") or request.GET.get("next") or ""


def next_page(request: HttpRequest, otherwise: str = settings.LOGIN_REDIRECT_URL) -> str:
    """That page when it is one of ours, `otherwise` (an address or its name) when not."""
    target = next_asked(request)
    safe = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if safe else resolve_url(otherwise)
