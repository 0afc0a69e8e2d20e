"""The base of every view of the API: what comes in is validated by contracts, what goes out is made of them."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, QuerySet
from django.http import HttpResponse
from django.utils.http import parse_etags
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.parsers import BaseParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.incoming import BLANKS, PYTHONS_PATTERNS, InvalidRequest, Moment, WholeNumber, body_read, query_read
from core.api.operation import operation, operation_of
from core.api.paging import CursorPages, Page, PageQuery
from core.api.throttling import rate_headers
from core.contracts import Contract

Value = TypeVar("Value", bound=Contract)
Row = TypeVar("Row", bound=Model)


class _Unparsed(BaseParser):
    """Leaves the body to `ApiView.read`. REST framework would parse JSON of any depth to find a CSRF token in it."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> dict[str, Any]:
        return {}


class ApiView(APIView):
    """A view of the API. `required_scopes` names for each method the scope that a token must have.

    There is no OPTIONS: the OpenAPI document says more. An address without its slash is refused, not redirected, since
    a redirected POST would become a GET.
    """

    required_scopes: ClassVar[Mapping[str, str]] = {}
    parser_classes = (_Unparsed,)
    http_method_names = ["get", "post", "put", "patch", "delete", "head"]

    @classmethod
    def as_view(cls, **initkwargs: Any) -> Any:
        view = super().as_view(**initkwargs)
        view.should_append_slash = False  # type: ignore[attr-defined]  # read by CommonMiddleware
        return view

    def read(self, contract: type[Value]) -> Value:
        """The JSON body as a value of this contract.

        Raises `UnsupportedMediaType` (415) for another kind of body, `ParseError` (400) for what is no JSON and
        `InvalidRequest` (422) for JSON that does not fit. One that is too large was refused before (413).
        """
        return body_read(self.request, contract)

    def query(self, contract: type[Value]) -> Value:
        """The query string as a value of this contract. Raises `InvalidRequest` (422)."""
        return query_read(self.request, contract)

    def answer(self, value: Contract, *, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
        """The value as JSON."""
        return Response(value.model_dump(mode="json", by_alias=True), status=status, headers=dict(headers or {}))

    def page(
        self, query: PageQuery, rows: QuerySet[Row], make: Callable[[Row], Contract], *, ordering: str = "id"
    ) -> Response:
        """One cursor page of rows, each made into a contract; one query besides those `make` needs."""
        pages = CursorPages(query, ordering=ordering)
        page_rows = pages.rows(rows, self.request, self)
        return pages.get_paginated_response([make(row).model_dump(mode="json", by_alias=True) for row in page_rows])

    def conditional(
        self, etag: str, make: Callable[[], HttpResponse], *, public: bool = False, seconds: int = 0
    ) -> HttpResponse:
        """What `make` answers, with its ETag; or 304, without making it, when the client names that ETag.

        `etag` is quoted already. The client may keep the answer for `seconds` and asks again after that; `public` lets
        shared caches keep it too.
        """
        named = self.request.headers.get("If-None-Match", "")
        # Weak ones count, as RFC 9110 wants it here.
        if named.strip() == "*" or etag in [tag.removeprefix("W/") for tag in parse_etags(named)]:
            response = HttpResponse(status=304)
            del response.headers["Content-Type"]
        else:
            response = make()
        response.headers["ETag"] = etag
        lifetime = f"max-age={seconds}, immutable" if seconds else "no-cache"
        response.headers["Cache-Control"] = f"{'public' if public else 'private'}, {lifetime}"
        return response

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuses in this order: method, form of the answer, size, too many requests, token, scope, query string."""
        self.format_kwarg = None
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        form: Any = request  # its stubs do not know these
        form.accepted_renderer, form.accepted_media_type = self.perform_content_negotiation(request)
        request.version = request.versioning_scheme = None
        request._request.body  # noqa: B018 - kept before a browser's CSRF token is looked for in it, which eats it up
        self._count(request)
        self.check_permissions(request)
        described = operation_of(self, str(request.method))
        if described is not None and described.query is None:
            self.query(Contract)

    def _count(self, request: Request) -> None:
        """Count the request for its user; with a wrong token or none it counts for its address."""
        try:
            self.perform_authentication(request)
        except Exception:
            request.user = AnonymousUser()
            self.check_throttles(request)
            raise
        self.check_throttles(request)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        state = getattr(request._request, "rate_state", None)
        if state is not None:
            for name, value in rate_headers(state).items():
                response.headers[name] = value
        response.headers.setdefault("Cache-Control", "no-store")
        return response
