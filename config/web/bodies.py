"""Bodies of requests: whole and in memory before a thread is taken, or refused."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from io import BytesIO

from django.conf import settings
from django.core.exceptions import RequestAborted
from django.utils.translation import gettext_lazy as _

from config.web.requests import Receive, Refused, Scope, client_network, path_of

_CLOSE = {"Connection": "close"}


class _Body:
    """What came of a body so far, and from where."""

    def __init__(self, network: str, deadline: asyncio.Timeout) -> None:
        self.network, self.deadline = network, deadline
        self.content = bytearray()
        self.is_coming = True


class Bodies:
    """The bodies that a process reads or works on: `together` bytes at most, but for small ones."""

    seconds = 60.0
    """From the head of a request to the end of its body: 6 MB need 0.8 Mbit/s."""
    together = 64_000_000
    """More, and of the network with the most bytes the body is refused that has been coming for longest. So no network
    can take it all; behind a proxy, which is one network, it is a slow one.
    """
    small = 64_000
    """Bytes of a body that is taken however many others there are: more than any answer of a learner has."""

    def __init__(self, limits: Mapping[str, int]) -> None:
        """`limits` has the most bytes by path, where it is not `DATA_UPLOAD_MAX_MEMORY_SIZE`."""
        self._limits = limits
        self._bodies: dict[_Body, None] = {}  # in the order in which they began

    @property
    def held(self) -> int:
        """Bytes of all bodies that are not small."""
        return sum(len(body.content) for body in self._large())

    @asynccontextmanager
    async def read(self, scope: Scope, receive: Receive) -> AsyncIterator[BytesIO]:
        """The body, at its beginning; raises `Refused`, or `RequestAborted` when its sender has gone."""
        limit: int = self._limits.get(path_of(scope), settings.DATA_UPLOAD_MAX_MEMORY_SIZE)
        if _stated_size(scope) > limit:
            raise _too_large(limit)
        body = _Body(client_network(scope), asyncio.timeout(self.seconds))
        self._bodies[body] = None
        try:
            await self._receive(body, receive, limit)
            yield BytesIO(body.content)
        finally:
            self._bodies.pop(body, None)

    async def _receive(self, body: _Body, receive: Receive, limit: int) -> None:
        try:
            async with body.deadline:
                while body.is_coming:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise RequestAborted
                    body.content += message.get("body", b"")
                    body.is_coming = message.get("more_body", False)
                    if len(body.content) > limit:
                        raise _too_large(limit)
                    if len(body.content) > self.small and self.held > self.together:
                        self._make_room(body)
        except TimeoutError as error:
            if body not in self._bodies:
                raise _too_much() from error
            raise Refused("request-timeout", _("The request took too long to come."), _CLOSE) from error

    def _large(self) -> Iterator[_Body]:
        return (body for body in self._bodies if len(body.content) > self.small)

    def _make_room(self, newest: _Body) -> None:
        share: Counter[str] = Counter()
        for body in self._large():
            share[body.network] += len(body.content)
        crowd = share.most_common(1)[0][0]
        coming = (body for body in self._large() if body.is_coming and not body.deadline.expired())
        slowest = next((body for body in coming if body.network == crowd), newest)
        if slowest is newest:
            raise _too_much()
        del self._bodies[slowest]
        slowest.deadline.reschedule(asyncio.get_running_loop().time())


def _too_much() -> Refused:
    return Refused("unavailable", _("Too much is being sent at the moment."), {"Retry-After": "5"})


def _too_large(limit: int) -> Refused:
    detail = _("The request has more than %(bytes)s bytes, the most that this address takes.")
    return Refused("request-too-large", detail % {"bytes": f"{limit:,}"})


def _stated_size(scope: Scope) -> int:
    stated = dict(scope["headers"]).get(b"content-length", b"")
    return int(stated) if stated.isdigit() else 0
