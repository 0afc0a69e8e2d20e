"""Addresses for machines that watch the server."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core import readiness


@require_safe
@never_cache
def healthz(request: HttpRequest) -> JsonResponse:
    """Alive: the process answers. Asks nothing else, so that a broken database does not get the web killed."""
    return JsonResponse({"status": "alive"})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> JsonResponse:
    """Ready: every registered part is there; 503 and the complaints otherwise."""
    report = readiness.report()
    ready = not any(report.values())
    body = {
        "status": "ready" if ready else "not ready",
        "checks": {name: text or "ok" for name, text in report.items()},
    }
    return JsonResponse(body, status=200 if ready else 503)
