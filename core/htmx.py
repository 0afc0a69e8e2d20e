"""One address, one view: the whole page, or the named part of it when htmx asks."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render


def is_htmx(request: HttpRequest) -> bool:
    """Whether htmx asks for a part; a page restored from history is asked for whole."""
    details: Any = getattr(request, "htmx", None)
    return bool(details and not details.history_restore_request)


def render_part(
    request: HttpRequest, template: str, part: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """Render `template`, or only its partial `part` for htmx."""
    return render(request, f"{template}#{part}" if is_htmx(request) else template, context, status=status)
