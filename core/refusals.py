"""What Django itself refuses, where no view was reached: a problem document below `/api/`, the usual page elsewhere."""

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from core.problems import problem_response

API_PREFIX = "/api/"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400, such as for a host that is not ours."""
    if _is_api(request):
        return problem_response(request, "malformed-request", "The request cannot be read.")
    return defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    if _is_api(request):
        return problem_response(request, "permission-denied", "This is not allowed to you.")
    return defaults.permission_denied(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404."""
    if _is_api(request):
        detail = "There is nothing at this address. Those of the API end in a slash, or in the name of a file."
        return problem_response(request, "not-found", detail)
    return defaults.page_not_found(request, exception)


def server_error(request: HttpRequest) -> HttpResponse:
    """500; what went wrong is in the log and nowhere else."""
    if _is_api(request):
        return problem_response(request, "internal-error", "Something went wrong in the server.")
    return defaults.server_error(request)


def _is_api(request: HttpRequest) -> bool:
    return request.path_info.startswith(API_PREFIX)
