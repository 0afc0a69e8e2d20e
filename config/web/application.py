"""Django's handler, in which a request has a thread only while it is worked on."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import cast

from asgiref.sync import sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.exception import convert_exception_to_response
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponseBase
from django.middleware.security import SecurityMiddleware
from django.urls import set_script_prefix

from config.web.bodies import Bodies
from config.web.connections import CLIENT_GONE
from config.web.requests import Receive, Refused, Scope, Send, disconnected, path_of
from config.web.static_files import StaticFiles
from config.web.threads import Threads

View = Callable[[HttpRequest], HttpResponseBase]


class Application(ASGIHandler):
    """Django's handler with standing threads, one for a request, from the first middleware to the last.

    A request has its thread when its body is whole, and gives it back before the first byte of the answer goes out, so
    that slow clients cost none. There are as many threads as connections to the database. Static files need none, and a
    `BlockStream` makes its blocks elsewhere.
    """

    def __init__(
        self, threads: int, body_limits: Mapping[str, int] | None = None, at_once: Mapping[str, View] | None = None
    ) -> None:
        """`body_limits` has the bytes that a body may have at some paths; elsewhere it is the setting's. `at_once` has
        views by path that the event loop itself may call: they ask nothing, and wait for no other request.
        """
        super().__init__()
        self._threads = Threads(threads)
        self.bodies = Bodies(body_limits or {})
        self._at_once = at_once or {}
        self._static = StaticFiles()

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"only HTTP is served, not {scope['type']}")
        path = path_of(scope)
        if view := self._static.response if self._static.has(path) else self._at_once.get(path):
            await self._send_and_close(self._without_thread(scope, view), send)
            return
        try:
            async with self.bodies.read(scope, receive) as body, self._threads.one(scope, receive) as thread:
                response = await self._worked_on(scope, body, thread)
        except Refused as refusal:
            response = self._without_thread(scope, refusal.response)
        except RequestAborted:
            return
        if response.streaming:
            await self._stream(response, receive, send)
        else:
            await self.send_response(response, send)

    def _made(self, scope: Scope, body: BytesIO, view: View) -> HttpResponseBase:
        request, error = self.create_request(scope, body)
        if request is None:
            assert error is not None
            return error
        return view(request)

    def _without_thread(self, scope: Scope, view: View) -> HttpResponseBase:
        """The view's answer, with the headers of security and the errors of every other."""
        return self._made(scope, BytesIO(), cast(View, convert_exception_to_response(SecurityMiddleware(view))))

    async def _worked_on(self, scope: Scope, body: BytesIO, thread: ThreadPoolExecutor) -> HttpResponseBase:
        client_is_gone = scope.get("extensions", {}).get(CLIENT_GONE)

        def respond(request: HttpRequest) -> HttpResponseBase:
            if client_is_gone and client_is_gone():
                raise RequestAborted
            set_script_prefix(get_script_prefix(scope))
            signals.request_started.send(sender=self.__class__, scope=scope)
            response = self.get_response(request)
            response._handler_class = self.__class__  # type: ignore[attr-defined]  # as Django's own handlers do
            if response.streaming:
                close_old_connections()
            else:
                response.close()  # here, where the connection to the database is that of this request
            return response

        work = sync_to_async(self._made, thread_sensitive=False, executor=thread)
        return await work(scope, body, respond)

    async def _send_and_close(self, response: HttpResponseBase, send: Send) -> None:
        try:
            await self.send_response(response, send)
        finally:
            response.close()  # here, where there is no connection to the database

    async def _stream(self, response: HttpResponseBase, receive: Receive, send: Send) -> None:
        """Send until all is sent or the reader has gone."""
        sending = asyncio.ensure_future(self.send_response(response, send))
        leaving = asyncio.ensure_future(disconnected(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            leaving.cancel()
            await asyncio.wait((sending, leaving))
            await sync_to_async(response.close, thread_sensitive=False)()  # never in a thread that has a request
        if not sending.cancelled():
            sending.result()
