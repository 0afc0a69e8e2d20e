"""Every exception of the API as a problem document."""

import logging
import math
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, UnreadablePostError
from rest_framework import exceptions
from rest_framework.request import Request

from core.errors import AndamioError
from core.problems.documents import ProblemPlace, problem_response

logger = logging.getLogger(__name__)

# What Django and REST framework raise: which problem it is, and what to say when the exception does not say more.
_KNOWN: tuple[tuple[type[Exception], str, str], ...] = (
    (Http404, "not-found", "There is nothing here, or it is not yours."),
    (exceptions.NotFound, "not-found", "There is nothing here, or it is not yours."),
    (exceptions.NotAuthenticated, "not-authenticated", "This address needs a token: Authorization: Bearer andamio_..."),
    (exceptions.AuthenticationFailed, "not-authenticated", "The token is unknown, expired or revoked."),
    (exceptions.PermissionDenied, "permission-denied", "This is not allowed to you."),
    (PermissionDenied, "permission-denied", "This is not allowed to you."),
    (exceptions.MethodNotAllowed, "method-not-allowed", "This address does not take {method}."),
    (exceptions.NotAcceptable, "not-acceptable", "None of the forms in the header Accept can be given here."),
    (exceptions.UnsupportedMediaType, "unsupported-media-type", "The body must be application/json."),
    (exceptions.Throttled, "too-many-requests", "Too many requests; wait as long as Retry-After says."),
    (exceptions.ParseError, "malformed-request", "The request cannot be read."),
    (RequestDataTooBig, "request-too-large", "The body is too large."),
    (UnreadablePostError, "malformed-request", "The body broke off."),
    (SuspiciousOperation, "malformed-request", "The request cannot be read."),
    (BadRequest, "malformed-request", "The request cannot be read."),
)


def exception_handler(exc: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """The problem for `exc`; None for an unexpected error, which Django logs and answers with 500."""
    request: Request = context["request"]
    if isinstance(exc, AndamioError):
        return error_response(request, exc)
    for kind, code, detail in _KNOWN:
        if isinstance(exc, kind):
            message = _message_of(exc) or detail.format(method=request.method)
            return problem_response(request, code, message, headers=_headers(exc, context))
    if isinstance(exc, OperationalError | InterfaceError):
        logger.error("the database failed a request: %s", request.path, exc_info=exc)
        detail = "The database does not answer at the moment."
        return problem_response(request, "unavailable", detail, headers={"Retry-After": "5"})
    return None


def error_response(request: HttpRequest | Request, error: AndamioError) -> HttpResponse:
    """The problem for one of our own errors, in any view."""
    places = [ProblemPlace(pointer=pointer, detail=detail) for pointer, detail in error.places]
    headers = {} if error.retry_after is None else {"Retry-After": str(error.retry_after)}
    return problem_response(request, error.code, error.message, errors=places, headers=headers)


def _message_of(exc: Exception) -> str:
    """The message given when the exception was raised; empty when it only has its class's usual words."""
    if isinstance(exc, Http404):
        return "" if "matches the given query" in str(exc) else str(exc)  # get_object_or_404 names our tables
    detail = getattr(exc, "detail", "")
    usual = str(getattr(exc, "default_detail", ""))
    if isinstance(exc, exceptions.MethodNotAllowed | exceptions.UnsupportedMediaType | exceptions.Throttled):
        return ""
    return str(detail) if isinstance(detail, str) and detail != usual else ""


def _headers(exc: Exception, context: Mapping[str, Any]) -> dict[str, str]:
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if isinstance(exc, exceptions.MethodNotAllowed) and (view := context.get("view")):
        headers["Allow"] = ", ".join(view.allowed_methods)
    if (wait := getattr(exc, "wait", None)) is not None:
        headers["Retry-After"] = str(max(1, math.ceil(wait)))
    return headers
