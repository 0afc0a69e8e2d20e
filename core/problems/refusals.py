"""What Django itself refuses, where no view was reached: a problem document below `/api/`, the usual page elsewhere."""

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import get_language_from_request, override
from django.views import defaults

from core.problems.documents import problem_kind, problem_response

API_PREFIX = "/api/"


def _refusal(code: str, detail: str, page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    def refuse(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        is_api = request.path_info.startswith(API_PREFIX)
        return problem_response(request, code, detail) if is_api else page(request, *args, **kwargs)

    return refuse


bad_request = _refusal("malformed-request", "The request cannot be read.", defaults.bad_request)
permission_denied = _refusal("permission-denied", "This is not allowed to you.", defaults.permission_denied)
page_not_found = _refusal(
    "not-found",
    "There is nothing at this address. Those of the API end in a slash, or in the name of a file.",
    defaults.page_not_found,
)
server_error = _refusal("internal-error", "Something went wrong in the server.", defaults.server_error)


def refuse_unread(
    request: HttpRequest, code: str, detail: str | Promise, *, headers: Mapping[str, str] | None = None
) -> HttpResponse:
    """Refuse a request whose body was not taken, so that no middleware has seen it: below `/api/` by a problem
    document, elsewhere by a line of text in the visitor's language.
    """
    if request.path_info.startswith(API_PREFIX):
        with override("en"):
            return problem_response(request, code, str(detail), headers=headers)
    kind = problem_kind(code)
    with override(get_language_from_request(request)):
        return HttpResponse(f"{kind.title}. {detail}", "text/plain; charset=utf-8", kind.status, headers=headers)
