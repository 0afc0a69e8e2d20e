"""The API's description for programs (OpenAPI), and the page made of it for people."""

import hashlib
import json
from functools import cache
from threading import Lock
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import override
from django.views.decorators.http import require_safe
from drf_spectacular.generators import SchemaGenerator
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from core.api.base import ApiView
from core.api.docs.reference import Described, reference

# drf-spectacular's extensions resolve what they describe when they are first asked; two threads cannot do it at once.
_making = Lock()


def api_schema() -> dict[str, Any]:
    """The OpenAPI document, in English; made once in a process, since code does not change while it runs."""
    with _making:
        return _schema()


@cache
def _schema() -> dict[str, Any]:
    with override("en"):
        made = SchemaGenerator().get_schema(request=None, public=True)  # type: ignore[no-untyped-call]
        document: dict[str, Any] = json.loads(json.dumps(made, default=str))  # texts translated late are English now
    return document


def warm_up() -> None:
    """Make the document, and the parts of the page that is made of it."""
    _schema_body()
    _sections()


@cache
def _schema_body() -> tuple[bytes, str]:
    body = json.dumps(api_schema(), ensure_ascii=False, indent=1).encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


class SchemaView(ApiView):
    """The OpenAPI document. It is public and without a limit: reading it costs nothing."""

    schema = None  # it describes the others
    authentication_classes = ()
    permission_classes = (AllowAny,)
    throttle_classes = ()

    def get(self, request: Request) -> HttpResponse:
        body, etag = _schema_body()
        return self.conditional(etag, lambda: HttpResponse(body, content_type="application/json"), public=True)


@cache
def _sections() -> list[tuple[str, list[Described]]]:
    return reference(api_schema())


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Every operation with its parameters, an example with curl, and what it may refuse."""
    origin = settings.PUBLIC_URL or request.build_absolute_uri("/").rstrip("/")
    return render(request, "core/api_docs.html", {"sections": _sections(), "origin": origin})


@require_safe
def console(request: HttpRequest) -> HttpResponse:
    """Every operation with a form to try it, in the reader's browser and with their own token."""
    return render(request, "core/api_console.html")
