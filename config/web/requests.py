"""What is known of a request before Django reads it, and the refusal of one that it never reads."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.core.handlers.asgi import get_script_prefix
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise

from core.limits.windows import network_of
from core.problems.refusals import refuse_unread

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Refused(Exception):
    """A request that is too large, too slow, or too much beside those of others."""

    def __init__(self, code: str, detail: str | Promise, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(code)
        self.code, self.detail, self.headers = code, detail, headers

    def response(self, request: HttpRequest) -> HttpResponse:
        return refuse_unread(request, self.code, self.detail, headers=self.headers)


def path_of(scope: Scope) -> str:
    """The path within this site, as `reverse` has it in `config.asgi`: without the prefix that the server is run at."""
    path: str = scope["path"]
    return path.removeprefix(get_script_prefix(scope))


def client_network(scope: Scope) -> str:
    """The network that a request comes from, empty for a Unix socket."""
    return network_of(scope["client"][0]) if scope.get("client") else ""


async def disconnected(receive: Receive) -> None:
    """Return when the client has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass
