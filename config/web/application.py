"""Django's handler, in which a request has a thread only while it is worked on."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from io import BytesIO
from typing import Any

from asgiref.sync import sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponseBase
from django.urls import set_script_prefix

from config.web.bodies import Bodies, BodyRefused
from config.web.static_files import StaticFiles
from core.operations.connections import lend_thread

MOST_WAITING = 512
"""Requests of a process that wait for a model at a time, each in a thread of its own; further ones keep theirs."""

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]


class Application(ASGIHandler):
    """Django's handler with standing threads, one for a request, from the first middleware to the last.

    A request has its thread when its body is whole, and gives it back before the first byte of the answer goes out, so
    that slow clients cost none. There are as many threads as connections to the database. Static files need none, and a
    `BlockStream` makes its blocks elsewhere. A request that waits for a model lends: another thread takes the place of
    its own, which ends with the request.
    """

    def __init__(self, threads: int, body_limits: Mapping[str, int] | None = None) -> None:
        """`body_limits` has the bytes that a body may have at some paths; elsewhere it is the setting's."""
        super().__init__()
        self._threads: asyncio.LifoQueue[ThreadPoolExecutor] = asyncio.LifoQueue()
        self._lent = 0
        self.bodies = Bodies(body_limits or {})
        self._static = StaticFiles()
        for _ in range(threads):
            self._threads.put_nowait(_thread())

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"only HTTP is served, not {scope['type']}")
        if self._static.has(scope):
            await self._send_file(self._made(scope, BytesIO(), self._static.response), send)
            return
        try:
            async with self.bodies.read(scope, receive) as body:
                response = await self._worked_on(scope, body)
        except BodyRefused as refusal:
            response = self._made(scope, BytesIO(), refusal.response)
        except RequestAborted:
            return
        if response.streaming:
            await self._stream(response, receive, send)
        else:
            await self.send_response(response, send)

    def _made(self, scope: Scope, body: BytesIO, make: Callable[[HttpRequest], HttpResponseBase]) -> HttpResponseBase:
        request, error = self.create_request(scope, body)
        if request is None:
            assert error is not None
            return error
        return make(request)

    async def _worked_on(self, scope: Scope, body: BytesIO) -> HttpResponseBase:
        def respond(request: HttpRequest) -> HttpResponseBase:
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=self.__class__, scope=scope)
            response = self.get_response(request)
            response._handler_class = self.__class__  # type: ignore[attr-defined]  # as Django's own handlers do
            if response.streaming:
                close_old_connections()
            else:
                response.close()  # here, where the connection to the database is that of this request
            return response

        async with self._thread() as thread:
            work = sync_to_async(self._made, thread_sensitive=False, executor=thread)
            return await work(scope, body, respond)

    @asynccontextmanager
    async def _thread(self) -> AsyncIterator[ThreadPoolExecutor]:
        thread, loop = await self._threads.get(), asyncio.get_running_loop()
        held = [thread]
        lend_thread.set(lambda: loop.call_soon_threadsafe(self._lend, held))
        try:
            yield thread
        finally:
            if held:
                held.clear()
                self._threads.put_nowait(thread)
            else:
                self._lent -= 1
                thread.shutdown(wait=False)

    def _lend(self, held: list[ThreadPoolExecutor]) -> None:
        """Put another thread in the place of one whose request waits, once for each request."""
        if held and self._lent < MOST_WAITING:
            held.clear()
            self._lent += 1
            self._threads.put_nowait(_thread())

    async def _send_file(self, response: HttpResponseBase, send: Send) -> None:
        try:
            await self.send_response(response, send)
        finally:
            response.close()  # here, where there is no connection to the database

    async def _stream(self, response: HttpResponseBase, receive: Receive, send: Send) -> None:
        """Send until all is sent or the reader has gone."""
        sending = asyncio.ensure_future(self.send_response(response, send))
        leaving = asyncio.ensure_future(_disconnected(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            leaving.cancel()
            await asyncio.wait((sending, leaving))
            await sync_to_async(response.close, thread_sensitive=False)()  # never in a thread that has a request
        if not sending.cancelled():
            sending.result()


def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
