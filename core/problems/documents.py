"""Refusals as RFC 9457 problem documents. Each type has a page for people at `/problems/<code>/`.

The documents are always in English: they are for programs and their authors. The pages are translated.
"""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import NamedTuple

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import override
from rest_framework.request import Request

from core.contracts import Contract
from core.errors import AndamioError

CONTENT_TYPE = "application/problem+json"


class ProblemPlace(Contract):
    """One thing wrong with what was sent: a JSON pointer (`/version`) or a path in a lesson file, and what is wrong."""

    pointer: str
    detail: str


class Problem(Contract):
    """The body of every refusal. `type` is the address of a page that says what it means; `code` is the end of it."""

    type: str
    title: str
    status: int
    detail: str
    instance: str
    code: str
    errors: tuple[ProblemPlace, ...] = ()


class ProblemKind(NamedTuple):
    """A documented type of problem."""

    code: str
    status: int
    title: str | Promise
    description: str | Promise


_kinds: dict[str, ProblemKind] = {}


def problem_register(code: str, status: int, title: str | Promise, description: str | Promise) -> None:
    """Document a type of problem; call it from `AppConfig.ready()`. Texts may be translated late."""
    _kinds[code] = ProblemKind(code, status, title, description)


def problems_register_errors(module: ModuleType) -> None:
    """Document the errors of a module that have a title of their own, under their codes."""
    for error in vars(module).values():
        if isinstance(error, type) and issubclass(error, AndamioError) and vars(error).get("title"):
            problem_register(error.code, error.status, error.title, error.description)


def problem_kinds() -> list[ProblemKind]:
    """Every documented type, by code."""
    return [_kinds[code] for code in sorted(_kinds)]


def problem_kind(code: str) -> ProblemKind:
    """The type with this code; raises `KeyError`."""
    return _kinds[code]


def problem_response(
    request: HttpRequest | Request,
    code: str,
    detail: str,
    *,
    errors: Sequence[ProblemPlace] = (),
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """A problem of the registered type `code` as the answer to this request."""
    kind = problem_kind(code)
    with override("en"):
        problem = Problem(
            type=problem_url(request, code),
            title=str(kind.title),
            status=kind.status,
            detail=detail,
            instance=request.path,
            code=code,
            errors=tuple(errors),
        )
    response = HttpResponse(problem.model_dump_json(), status=kind.status, content_type=CONTENT_TYPE, headers=headers)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Content-Language"] = "en"
    return response


def problem_url(request: HttpRequest | Request, code: str) -> str:
    """The address of the type's page."""
    path = reverse("problem", args=[code])
    if settings.PUBLIC_URL:
        return f"{settings.PUBLIC_URL}{path}"
    try:
        return request.build_absolute_uri(path)
    except DisallowedHost:  # a refusal of the very host: the address is relative to wherever it was sent
        return path
