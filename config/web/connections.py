"""Connections with deadlines and bounds, which uvicorn leaves to a proxy in front of it."""

import asyncio
import select
import socket
from collections import Counter
from typing import ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

CLIENT_GONE = "andamio.client_gone"
"""The extension of ASGI that asks the system whether the client has closed the connection, from any thread. The event
loop hears of it some turns later, and of thousands at once too late.
"""


class Connection(HttpToolsProtocol):
    """uvicorn's own, that ends when its client takes too long, and makes room when there are too many.

    How long a body may take, `config.web.bodies` says; how long an idle one is kept open, uvicorn.
    """

    most: ClassVar[int] = 1000
    """Open at a time in this process. One more, and of the address with the most of them the one ends that has waited
    for its client longest. So no address can take them all; behind a proxy, which is one address, it is an idle one.
    """
    head_seconds: ClassVar[float] = 10.0
    """For the head of a request, and for what is left of a body that was refused."""
    head_bytes: ClassVar[int] = 64 * 1024
    reader_seconds: ClassVar[float] = 30.0
    """For a reader to take what the system did not: a block of 64 KiB at most. So a reader has at least 2 KiB/s."""
    system_bytes: ClassVar[int] = 128 * 1024
    """What the system takes of an answer before its reader does. It would take megabytes for each."""
    pipelined: ClassVar[int] = 16
    """Requests that may wait for the answer to one before them."""

    _open: ClassVar[dict["Connection", None]] = {}  # in the order of their last whole answer

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn's own
        from core.limits.windows import network_of  # uvicorn loads this module before it loads Django

        super().connection_made(transport)
        # Writing pauses while anything is not taken, and goes on when all is: no byte waits without a deadline.
        transport.set_write_buffer_limits(high=0)
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, self.system_bytes)
        self.network = network_of(self.client[0]) if self.client else ""
        self._timer: asyncio.TimerHandle | None = None
        self._reader_timer: asyncio.TimerHandle | None = None
        self._is_between, self._head_size = True, 0  # requests
        self._await_client()
        self._open[self] = None
        if len(self._open) > self.most:
            self._make_room()

    def _make_room(self) -> None:
        crowd = Counter(each.network for each in self._open).most_common(1)[0][0]
        waiting = (each for each in self._open if each.network == crowd and each._waits_for_client())
        next(waiting, self)._end()

    def _waits_for_client(self) -> bool:
        return self._has_answered() or self.cycle.more_body or self.flow.write_paused

    def _has_answered(self) -> bool:
        return getattr(self.cycle, "response_complete", True)  # there is no cycle before the first request

    def _await_client(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(self.head_seconds, self._end)

    def _client_came(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _end(self) -> None:
        self._open.pop(self, None)
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._open.pop(self, None)
        self._client_came()
        self._reader_came()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        was_between, cycle = self._is_between, self.cycle
        super().data_received(data)
        if not (was_between and self._is_between and self.cycle is cycle):
            return
        # All of it belongs to a head that is not whole yet.
        self._head_size += len(data)
        if self._head_size > self.head_bytes:
            self._end()
        elif self._has_answered():
            self._await_client()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.scope["extensions"] = {CLIENT_GONE: self._client_is_gone}  # type: ignore[dict-item]  # ours

    def _client_is_gone(self) -> bool:
        descriptor = self.transport.get_extra_info("socket").fileno()
        if descriptor < 0 or self.transport.is_closing():
            return True
        asked = select.poll()
        asked.register(descriptor, getattr(select, "POLLRDHUP", 0))  # elsewhere than on Linux errors alone are seen
        return bool(asked.poll(0))

    def on_headers_complete(self) -> None:
        self._client_came()
        self._is_between, self._head_size = False, 0
        super().on_headers_complete()
        if len(self.pipeline) > self.pipelined:
            self._end()

    def on_message_complete(self) -> None:
        self._is_between = True
        super().on_message_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self in self._open:
            del self._open[self]
            self._open[self] = None
        if not self._is_between and self.cycle.response_complete:
            self._await_client()

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._reader_timer is None:
            self._reader_timer = self.loop.call_later(self.reader_seconds, self._end)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._reader_came()

    def _reader_came(self) -> None:
        if self._reader_timer is not None:
            self._reader_timer.cancel()
            self._reader_timer = None
