"""Calls are written once, as generators of steps; what drives them is synchronous or asynchronous.

A step of the database runs where the caller's connection is; a step of the network runs on the loop of models, one for
each process in a thread of its own, and meanwhile no connection, transaction or thread of the server is held. So
synchronous callers get deadlines and cancellation, and all share the open connections. A chunk goes to the reader of a
stream.
"""

import asyncio
import os
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

from asgiref.sync import sync_to_async
from django.db import connection

from core.operations.connections import (
    TransactionOpen,
    hand_back_connection,
    lend_thread,
    require_no_transaction,
    waiting,
)

Result = TypeVar("Result")


@dataclass(frozen=True)
class InDatabase:
    """Something to be done with the database. It is finished also when the caller goes away meanwhile; then
    `undo` gets its result.
    """

    work: Callable[[], Any]
    undo: Callable[[Any], None] | None = None


@dataclass(frozen=True)
class OverNetwork:
    """Something to be awaited."""

    work: Callable[[], Coroutine[Any, Any, Any]]


@dataclass(frozen=True)
class StreamChunk:
    """A part of a streamed answer, to be handed on."""

    text: str


class ReaderGone(BaseException):
    """The reader of the stream has gone. Python's own GeneratorExit would not let a call write down what it costs."""


_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}
Step = InDatabase | OverNetwork | StreamChunk
Steps = Generator[Step, Any, Result]


def run(steps: Steps[Result]) -> Result:
    """Drive a call that streams nothing."""
    driven = iterate(steps)
    while True:
        try:
            next(driven)
        except StopIteration as end:
            result: Result = end.value
            return result


def iterate(steps: Steps[Result]) -> Generator[str, None, Result]:
    """Drive a call and yield its chunks. A reader who stops early cancels it, and what it costs is written down."""
    require_no_transaction()
    step = next(steps)
    while True:
        try:
            if isinstance(step, StreamChunk):
                yield step.text
                require_no_transaction()
                result = None
            else:
                result = _perform(step)
        except (GeneratorExit, TransactionOpen):  # its reader has gone, or has opened one since the last chunk
            _end(steps)
            raise
        except BaseException as error:
            following = _resumed(steps.throw, error)
        else:
            following = _resumed(steps.send, result)
        if isinstance(following, _Done):
            return following.value  # type: ignore[no-any-return]
        step = following


async def arun(steps: Steps[Result]) -> Result:
    """`run` for callers on an event loop. Cancelled, it cancels the request and writes down what it costs."""
    done: list[Result] = []
    async for _chunk in aiterate(steps, done):
        pass
    return done[0]


async def aiterate(steps: Steps[Result], done: list[Result] | None = None) -> AsyncIterator[str]:
    """`iterate` for callers on an event loop; the result goes into `done`."""
    await sync_to_async(require_no_transaction, thread_sensitive=True)()
    step = next(steps)
    while True:
        try:
            if isinstance(step, StreamChunk):
                yield step.text
                result = None
            else:
                result = await _aperform(step)
        except GeneratorExit:
            with suppress(ReaderGone):
                await arun(_thrown(steps))
            raise
        except BaseException as error:
            following = _resumed(steps.throw, error)
        else:
            following = _resumed(steps.send, result)
        if isinstance(following, _Done):
            if done is not None:
                done.append(following.value)
            return
        step = following


@dataclass(frozen=True)
class _Done:
    value: Any


def _end(steps: Steps[Any]) -> None:
    """Drive a call whose reader has gone to its end; outside the reader's transaction, if there is one."""

    def end() -> None:
        try:
            with suppress(ReaderGone):
                run(_thrown(steps))
        finally:
            if elsewhere:
                connection.close()

    elsewhere = connection.in_atomic_block
    if not elsewhere:
        return end()
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(end).result()


def _thrown(steps: Steps[Any]) -> Steps[Any]:
    """The remaining steps of a call whose reader has gone: to be driven to their end, without chunks."""
    step = _resumed(steps.throw, ReaderGone())
    while not isinstance(step, _Done):
        try:
            result = yield step
        except BaseException as error:
            step = _resumed(steps.throw, error)
        else:
            step = _resumed(steps.send, result)
    return step.value


def _resumed(resume: Callable[[Any], Step], value: Any) -> Step | _Done:
    """The step after `send` or `throw` of a call, or its end."""
    try:
        return resume(value)
    except StopIteration as end:
        return _Done(end.value)


def _submit(work: Callable[[], Coroutine[Any, Any, Any]]) -> "Future[Any]":
    """Begin the work on the loop of this process; a process that was forked off gets its own. To be cancelled by it."""
    loop = _loops.get(os.getpid())
    if loop is None:  # looked for without the lock, which a fork may have copied while it was held
        with _lock:
            loop = _loops.get(os.getpid())
            if loop is None:
                loop = _loops[os.getpid()] = asyncio.new_event_loop()
                threading.Thread(target=loop.run_forever, name="models", daemon=True).start()
    return asyncio.run_coroutine_threadsafe(work(), loop)


def _perform(step: InDatabase | OverNetwork) -> Any:
    if isinstance(step, InDatabase):
        return step.work()
    with waiting():
        future = _submit(step.work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise


async def _aperform(step: InDatabase | OverNetwork) -> Any:
    if isinstance(step, InDatabase):
        # Not given up in the middle: money that is being written down stays written down.
        work = asyncio.ensure_future(sync_to_async(step.work, thread_sensitive=True)())
        try:
            return await asyncio.shield(work)
        except asyncio.CancelledError:
            if step.undo is not None:
                await asyncio.shield(_undone(step.undo, work))
            raise
    await sync_to_async(hand_back_connection, thread_sensitive=True)()
    lend = lend_thread.get()  # a request that waits for a coroutine has a thread that idles
    if lend is not None:
        lend()
    return await asyncio.wrap_future(_submit(step.work))


async def _undone(undo: Callable[[Any], None], work: "asyncio.Future[Any]") -> None:
    """Undo the result of work whose caller has gone; where the work fails there is nothing to undo."""
    with suppress(Exception):
        result = await work
        await sync_to_async(undo, thread_sensitive=True)(result)
