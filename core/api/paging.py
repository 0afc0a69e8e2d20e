"""Cursor pages: going through many rows without counting them, and without missing any when some join meanwhile."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.utils.translation import gettext_lazy as _
from pydantic import Field
from rest_framework.exceptions import NotFound
from rest_framework.pagination import Cursor, CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.api.incoming import WholeNumber
from core.contracts import Contract
from core.errors import AndamioError

MOST_ITEMS, USUAL_ITEMS = 200, 50
Item = TypeVar("Item", bound=Contract)
Row = TypeVar("Row", bound=Model)


class CursorUnknown(AndamioError):
    code = "cursor-unknown"
    status = 404
    title = _("Unknown cursor")
    description = _(
        "The cursor is none that this address gave out. Begin without one, and follow the address in next exactly as it"
        " was given."
    )


class PageQuery(Contract):
    """The parameters of every paged address; those with filters inherit from this."""

    cursor: Annotated[str | None, Field(description="Where to go on; `next` of the page before has it.")] = Field(
        None, min_length=1, max_length=500, pattern=r"^[^\x00]*$"
    )
    limit: Annotated[WholeNumber, Field(description="Items of a page at most.")] = Field(
        USUAL_ITEMS, ge=1, le=MOST_ITEMS
    )


class Page(Contract, Generic[Item]):
    """Some of many items. `next` is the address of those that follow, null when there are none yet."""

    items: tuple[Item, ...]
    next: str | None

    @classmethod
    def model_parametrized_name(cls, params: tuple[Any, ...]) -> str:
        """`SessionSummaryPage` rather than `Page[SessionSummary]`: the name it has in the OpenAPI document."""
        return f"{params[0].__name__}{cls.__name__}"


class CursorPages(CursorPagination):
    """One page of a queryset, forwards only. `ordering` is one field, `-` before it for the newest first.

    Rows with the same value of it go by their primary key.
    """

    cursor_query_param = "cursor"

    def __init__(self, query: PageQuery, *, ordering: str = "id") -> None:
        self.query = query
        self.field = ordering
        self.model: type[Model]

    def rows(self, queryset: QuerySet[Row], request: Request, view: APIView) -> list[Row]:
        """The rows of this page, in one query. Raises `CursorUnknown`."""
        self.model = queryset.model
        return list(self.paginate_queryset(queryset, request, view) or ())

    def address_after(self, position: Any) -> str:
        """Where what comes after this value of the ordering's field will be. Needs `rows` to have been called."""
        cursor: Any = Cursor(offset=0, reverse=False, position=str(position))  # type: ignore[arg-type]  # its stubs err
        return str(self.encode_cursor(cursor))

    def get_ordering(self, request: Request, queryset: QuerySet[Any], view: APIView) -> tuple[str, ...]:
        primary = str(self.model._meta.pk.attname)
        if self.field.lstrip("-") in ("pk", primary):
            return (self.field,)
        return (self.field, f"-{primary}" if self.field.startswith("-") else primary)

    def get_page_size(self, request: Request) -> int:
        return self.query.limit

    def decode_cursor(self, request: Request) -> Any:
        if self.query.cursor is None:
            return None
        try:
            cursor: Any = super().decode_cursor(request)
            self._require_sensible(cursor)
        except (NotFound, ValidationError, ValueError, OverflowError) as error:
            raise CursorUnknown("This address has given out no such cursor.") from error
        return cursor

    def get_paginated_response(self, data: Any) -> Response:
        return Response({"items": data, "next": self.get_next_link()})

    def _require_sensible(self, cursor: Any) -> None:
        """Raises `ValueError` or `ValidationError` for a position that the ordering's field cannot have."""
        if cursor.reverse or "\0" in (cursor.position or "") or (cursor.position is None and not cursor.offset):
            raise ValueError("not ours")
        if cursor.position is not None:
            field: Any = self.model._meta.get_field(self.field.lstrip("-"))
            field.to_python(cursor.position)


class PlacedPages(CursorPages, Generic[Row]):
    """Pages in an order that no single field has.

    `read` gets the place where the page begins, empty at the beginning, and how many rows are wanted; it gives them and
    the place of the page after, empty where there is none, and raises `ValueError` for a place that it never gave.
    """

    def __init__(self, query: PageQuery, read: Callable[[str, int], tuple[Sequence[Row], str]]) -> None:
        super().__init__(query)
        self.read = read
        self.following = ""

    def rows_here(self, request: Request) -> Sequence[Row]:
        """The rows of this page. Raises `CursorUnknown`."""
        self.base_url = request.build_absolute_uri()
        cursor = self.decode_cursor(request)
        try:
            rows, self.following = self.read(cursor.position if cursor else "", self.query.limit)
        except ValueError as error:
            raise CursorUnknown("This address has given out no such cursor.") from error
        return rows

    def get_next_link(self) -> str | None:
        return self.address_after(self.following) if self.following else None

    def _require_sensible(self, cursor: Any) -> None:
        if cursor.reverse or cursor.offset or not cursor.position:
            raise ValueError("not ours")
