"""One address, one view: the whole page, or the named part of it for a request of htmx."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render
from django.utils.cache import patch_vary_headers

View = Callable[..., HttpResponse]


def is_htmx(request: HttpRequest) -> bool:
    """Whether htmx asks for a part; a page restored from history is asked for whole."""
    details: Any = getattr(request, "htmx", None)
    return bool(details and not details.history_restore_request)


def render_part(
    request: HttpRequest, template: str, part: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Render `template`, or only its partial `part` for htmx."""
    return render(request, f"{template}#{part}" if is_htmx(request) else template, context, status=status)


def action(page: str) -> Callable[[View], View]:
    """A view that only acts. A GET of its address, after a reload or from a shared link, is redirected to its page."""

    def decorate(view: View) -> View:
        @wraps(view)
        def act(request: HttpRequest, **where: Any) -> HttpResponse:
            if request.method == "POST":
                return view(request, **where)
            if request.method in ("GET", "HEAD"):
                return cast(HttpResponse, redirect(page, **where))
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])

        return act

    return decorate


class VaryOnHtmx:
    """One address serves a page and its fragment, so caches must distinguish them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        patch_vary_headers(response, ["HX-Request"])
        return response
