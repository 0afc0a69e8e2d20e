"""One address, one view: the whole page, or the named part of it when htmx asks."""

from collections.abc import Callable
from functools import wraps
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect, render

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
    """A view that only acts. Whoever opens its address, reloading or sharing it, is led to the page it belongs to."""

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
