"""As much of HTTP/1.1 as a client library needs, with a hand on the connection: it can be cut, and be seen to go."""

import asyncio
import json
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any


@dataclass(frozen=True)
class Request:
    """`body` is what the JSON says; anything else is empty."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class Connection(asyncio.Protocol):
    """Answers one request after the other with `answer`, which is cancelled when the client goes.

    It is in `all_` while it is open.
    """

    def __init__(
        self, answer: Callable[[Request, "Connection"], Coroutine[Any, Any, None]], all_: "set[Connection]"
    ) -> None:
        self._answer, self._all = answer, all_
        self._buffer = bytearray()
        self._task: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._all.add(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._next()

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._all.discard(self)
        if self._task is not None:
            self._task.cancel()

    def headers(self, status: int, fields: dict[str, str]) -> None:
        """Send the head of an answer; with no Content-Length what follows goes through `chunk`."""
        lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {fields[name]}" for name in fields)]
        if "Content-Length" not in fields:
            lines.append("Transfer-Encoding: chunked")
        self.write("\r\n".join([*lines, "", ""]).encode())

    def chunk(self, data: bytes) -> bytes:
        """A chunk as it is written; empty is the last one."""
        return b"%x\r\n%b\r\n" % (len(data), data)

    def write(self, data: bytes) -> None:
        if self._transport is not None:
            self._transport.write(data)

    def close(self) -> None:
        """What was written still arrives; nothing more does."""
        if self._transport is not None:
            self._transport.close()

    def _next(self) -> None:
        if self._task is not None:
            return
        request = self._taken()
        if request is not None:
            self._task = asyncio.get_running_loop().create_task(self._answer(request, self))
            self._task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._task = None
        if not task.cancelled() and (error := task.exception()) is not None:
            asyncio.get_running_loop().call_exception_handler({"message": "the provider failed", "exception": error})
            self.close()
        self._next()

    def _taken(self) -> Request | None:
        """The next whole request of the buffer."""
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        first, *rest = self._buffer[:end].decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in rest)}
        until = end + 4 + int(headers.get("content-length", 0))
        if len(self._buffer) < until:
            return None
        body = bytes(self._buffer[end + 4 : until])
        del self._buffer[:until]
        method, path, _ = first.split(" ", 2)
        return Request(method, path, headers, _json_of(body))


def _json_of(body: bytes) -> dict[str, Any]:
    try:
        value = json.loads(body)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
