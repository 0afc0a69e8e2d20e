"""The threads that requests are worked on in, and the line of requests that wait for one."""

import asyncio
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

from django.core.exceptions import RequestAborted
from django.utils.translation import gettext_lazy as _

from config.web.requests import Receive, Refused, Scope, client_network, disconnected
from core.operations.connections import lend_thread

MOST_LENT = 512
"""Requests of a process that wait for a model at a time, each in a thread of its own; further ones keep theirs."""

Turn = asyncio.Future[ThreadPoolExecutor]


class Threads:
    """Standing threads, one for a request, and a line that is fair: networks take turns, each with its oldest request.

    A request leaves the line when its client has gone. A request that waits for a model lends: another thread takes
    the place of its own, which ends with the request.
    """

    most_waiting = 256
    """One more, and of the network with the most of them the newest is refused. With those that are worked on and wait
    for a model it is less than `Connection.most`, so that there is always a connection that may end for another.
    """
    seconds = 30.0

    def __init__(self, count: int) -> None:
        self._idle = [_new_thread() for _ in range(count)]
        self._lent = 0
        self._line: dict[str, dict[Turn, None]] = {}  # by network, the next one first; none is empty

    @asynccontextmanager
    async def one(self, scope: Scope, receive: Receive) -> AsyncIterator[ThreadPoolExecutor]:
        """A thread for this request; raises `Refused`, or `RequestAborted` when its client has gone meanwhile."""
        thread = self._idle.pop() if self._idle else await self._wait(client_network(scope), receive)
        held, loop = [thread], asyncio.get_running_loop()
        lend_thread.set(lambda: loop.call_soon_threadsafe(self._lend, held))
        try:
            yield thread
        finally:
            if held:
                held.clear()
                self._give(thread)
            else:
                self._lent -= 1
                thread.shutdown(wait=False)

    async def _wait(self, network: str, receive: Receive) -> ThreadPoolExecutor:
        turn: Turn = asyncio.get_running_loop().create_future()
        self._line.setdefault(network, {})[turn] = None
        if sum(map(len, self._line.values())) > self.most_waiting:
            self._make_room()
        leaving = asyncio.ensure_future(disconnected(receive))
        try:
            await asyncio.wait((turn, leaving), timeout=self.seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            is_gone = leaving.done()
            leaving.cancel()
            if not turn.done():
                self._leave(network, turn)
        if turn.done():
            return turn.result()
        raise RequestAborted if is_gone else _busy()

    def _make_room(self) -> None:
        crowd = max(reversed(self._line), key=lambda network: len(self._line[network]))
        turn = next(reversed(self._line[crowd]))
        self._leave(crowd, turn)
        turn.set_exception(_busy())

    def _leave(self, network: str, turn: Turn) -> None:
        del self._line[network][turn]
        if not self._line[network]:
            del self._line[network]

    def _give(self, thread: ThreadPoolExecutor) -> None:
        """Give a thread to the next request in line; its network then comes after the others."""
        if not self._line:
            self._idle.append(thread)
            return
        network = next(iter(self._line))
        turns = self._line.pop(network)
        turn = next(iter(turns))
        del turns[turn]
        if turns:
            self._line[network] = turns
        turn.set_result(thread)

    def _lend(self, held: list[ThreadPoolExecutor]) -> None:
        """Put another thread in the place of one whose request waits, once for each request."""
        if held and self._lent < MOST_LENT:
            held.clear()
            self._lent += 1
            self._give(_new_thread())


def _new_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")


def _busy() -> Refused:
    detail = _("One moment, please: more is being asked than can be answered at once.")
    return Refused("unavailable", detail, {"Retry-After": "5"})
