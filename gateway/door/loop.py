"""One event loop for each process, in a thread of its own, on which all requests to providers are made.

So synchronous callers get deadlines over the whole answer and cancellation, and all share the open connections.
"""

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

Result = TypeVar("Result")

_lock = threading.Lock()
_loops: dict[int, asyncio.AbstractEventLoop] = {}


def loop() -> asyncio.AbstractEventLoop:
    """The loop of this process; a process that was forked off gets its own."""
    found = _loops.get(os.getpid())
    if found is not None:
        return found
    with _lock:
        if os.getpid() not in _loops:
            made = asyncio.new_event_loop()
            threading.Thread(target=made.run_forever, name="models", daemon=True).start()
            _loops[os.getpid()] = made
        return _loops[os.getpid()]


def submit(work: Callable[[], Coroutine[Any, Any, Result]]) -> "Future[Result]":
    """Begin the work on the loop; cancelling the future cancels the work."""
    return asyncio.run_coroutine_threadsafe(work(), loop())
