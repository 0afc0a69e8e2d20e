"""The web entry point. The embedder is loaded before the first request, so that no learner waits for it."""

import asyncio
import gc
import os
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any

from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django import setup
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.db import close_old_connections
from django.http import HttpRequest, HttpResponseBase

from core.operations.connections import lend_thread
from core.pages.streaming import BlockStream

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")


MOST_WAITING = 512
"""Requests of a process that wait for a model at a time, each in a thread of its own; further ones keep theirs."""
_give_back: ContextVar[Callable[[], None]] = ContextVar("_give_back")
"""Lets others have the request's thread; does nothing the second time."""


class Application(ASGIHandler):
    """Django's handler with one thread for a request, from the first middleware to the last, that is there already.

    Django's own starts a thread for each request, and the event loop, everybody's, waits until it runs and until it has
    ended. Below a middleware that is not asynchronous it also goes back to the loop, and from there into the thread
    again for the view and for each middleware that looks at the view. There are as many threads as connections to the
    database. An answer in blocks makes each block elsewhere, so its thread goes back before the first is sent. A
    request that waits for a model lends: another thread takes the place of its own, which ends with the request.
    """

    def __init__(self, threads: int) -> None:
        super().__init__()
        self._threads: asyncio.LifoQueue[ThreadPoolExecutor] = asyncio.LifoQueue()
        self._lent = 0
        for _ in range(threads):
            self._threads.put_nowait(_thread())

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def __call__(
        self, scope: dict[str, Any], receive: Callable[..., Awaitable[Any]], send: Callable[..., Awaitable[Any]]
    ) -> None:
        thread, lent = await self._threads.get(), [False]
        threads, loop = [thread], asyncio.get_running_loop()
        _give_back.set(lambda: self._threads.put_nowait(threads.pop()) if threads else None)
        lend_thread.set(lambda: loop.call_soon_threadsafe(self._lend, threads, lent))
        try:
            async with ThreadSensitiveContext(executor=thread):
                await self.handle(scope, receive, send)
        finally:
            _give_back.get()()
            if lent[0]:
                self._lent -= 1
                thread.shutdown(wait=False)

    def _lend(self, threads: list[ThreadPoolExecutor], lent: list[bool]) -> None:
        """Put another thread in the place of one whose request waits, once for each request."""
        if threads and self._lent < MOST_WAITING:
            threads.clear()
            lent[0] = True
            self._lent += 1
            self._threads.put_nowait(_thread())

    async def send_response(self, response: HttpResponseBase, send: Callable[..., Awaitable[Any]]) -> None:
        if isinstance(response, BlockStream):  # makes its blocks elsewhere, and may take its reader minutes
            await sync_to_async(close_old_connections, thread_sensitive=True)()
            _give_back.get()()
        await super().send_response(response, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)


def _thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="request")


setup(set_prefix=False)
application = Application(threads=settings.DATABASE_POOL_SIZE)

import config.celery_app  # noqa: E402, F401 - so that services can send to the worker
from evaluation.layer import warm_up as warm_up_evaluation  # noqa: E402 - needs the application registry
from gateway.embedding.local import warm_up  # noqa: E402
from lesson_engine.grading import warm_up as warm_up_grading  # noqa: E402
from planning.layer import warm_up as warm_up_planning  # noqa: E402
from routing.router import warm_up as warm_up_routing  # noqa: E402

warm_up()
warm_up_grading()
warm_up_planning()
warm_up_evaluation()
warm_up_routing()
# What is here now stays: it need not be looked through again. Requests leave cycles, but few; the default would look
# for them several times in each.
gc.collect()
gc.freeze()
gc.set_threshold(20_000, 50, 100)
