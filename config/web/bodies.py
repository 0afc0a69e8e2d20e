"""Bodies of requests: whole and in memory before a thread is taken, or refused."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from io import BytesIO
from typing import Any

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from core.problems.refusals import refuse_unread

Receive = Callable[[], Awaitable[Any]]
_CLOSE = {"Connection": "close"}


class BodyRefused(Exception):
    """A body that is too large, too slow, or too much beside those of others."""

    def __init__(self, code: str, detail: str | Promise, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(code)
        self.code, self.detail, self.headers = code, detail, headers

    def response(self, request: HttpRequest) -> HttpResponse:
        return refuse_unread(request, self.code, self.detail, headers=self.headers)


class Bodies:
    """The bodies that a process reads or works on: `together` bytes at most, but for small ones."""

    seconds = 60.0
    """From the head of a request to the end of its body: 6 MB need 0.8 Mbit/s."""
    together = 64_000_000
    small = 64_000
    """Bytes of a body that is taken however many others there are: more than any answer of a learner has."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        """`limits` has the most bytes by path, where it is not `DATA_UPLOAD_MAX_MEMORY_SIZE`."""
        self._limits = limits
        self.held = 0

    @asynccontextmanager
    async def read(self, scope: Mapping[str, Any], receive: Receive) -> AsyncIterator[BytesIO]:
        """The body, at its beginning; raises `BodyRefused`, or `RequestAborted` when its sender has gone."""
        limit: int = self._limits.get(scope["path"], settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if _stated_size(scope) > limit:
            raise _too_large(limit)
        content = bytearray()
        try:
            await self._receive(content, receive, limit)
            yield BytesIO(content)
        finally:
            self.held -= len(content)

    async def _receive(self, content: bytearray, receive: Receive, limit: int) -> None:
        more = True
        try:
            async with asyncio.timeout(self.seconds):
                while more:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise RequestAborted
                    chunk, more = message.get("body", b""), message.get("more_body", False)
                    content += chunk
                    self.held += len(chunk)
                    self._check(len(content), limit)
        except TimeoutError as error:
            raise BodyRefused("request-timeout", _("The request took too long to come."), _CLOSE) from error

    def _check(self, size: int, limit: int) -> None:
        if size > limit:
            raise _too_large(limit)
        if size > self.small and self.held > self.together:
            raise BodyRefused("unavailable", _("Too much is being sent at the moment."), {"Retry-After": "5"})


def _too_large(limit: int) -> BodyRefused:
    detail = _("The request has more than %(bytes)s bytes, the most that this address takes.")
    return BodyRefused("request-too-large", detail % {"bytes": f"{limit:,}"})


def _stated_size(scope: Mapping[str, Any]) -> int:
    stated = dict(scope["headers"]).get(b"content-length", b"")
    return int(stated) if stated.isdigit() else 0
