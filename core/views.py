"""Addresses for machines that watch the server, and the pages that explain problems to people."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from core.operations import readiness
from core.problems.documents import problem_kind, problem_kinds


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


@require_safe
def problems(request: HttpRequest) -> HttpResponse:
    """Every type of problem that the API may answer with."""
    return render(request, "core/problems.html", {"kinds": problem_kinds()})


@require_safe
def problem(request: HttpRequest, code: str) -> HttpResponse:
    """What one type of problem means and what to do about it: where the `type` of a problem leads."""
    try:
        kind = problem_kind(code)
    except KeyError:
        raise Http404 from None
    return render(request, "core/problem.html", {"kind": kind})
