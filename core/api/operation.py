"""What a method of an `ApiView` says of itself, for the OpenAPI document and for the checks that follow from it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.contracts import Contract

Handler = TypeVar("Handler", bound=Callable[..., Any])


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One method of one address, as a decorator to put above `@idempotent`. The longer description is its docstring.

    `id` is unique in the whole API, as `session_answer`. `status` is one or several, where an answer differs only in
    that; `response` is the contract of the body, or `str` for text of another `media_type`, or None for no body.
    `problems` are the codes of what this method refuses beyond what every address does. `conditional` says that the
    answer has an ETag; `headers` are further response headers with their meanings.
    """

    id: str
    summary: str
    tag: str
    response: type[Contract] | type[str] | None
    status: int | tuple[int, ...] = 200
    request: type[Contract] | None = None
    query: type[Contract] | None = None
    problems: Sequence[str] = ()
    conditional: bool = False
    media_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    example: Any = None
    request_example: Any = None

    def __call__(self, handler: Handler) -> Handler:
        handler.operation = self  # type: ignore[attr-defined]  # read by the schema and by ApiView
        return handler


operation = Operation


def operation_of(view: Any, method: str) -> Operation | None:
    """What the view's method says of itself; HEAD is what GET is."""
    name = "get" if method.upper() == "HEAD" else method.lower()
    description: Operation | None = getattr(getattr(view, name, None), "operation", None)
    return description
