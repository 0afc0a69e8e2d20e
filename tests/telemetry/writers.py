"""Transactions that are held open, each in a thread with a connection of its own."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TypeVar

from django.db import connection, transaction

from telemetry.services import events_append
from tests.telemetry.conftest import drafts_of

Result = TypeVar("Result")


class Writer:
    """Somebody who writes events and ends the transaction when told; at the end of the block at the latest, undone."""

    def __init__(self, chain: str) -> None:
        self._chain, self._thread = chain, ThreadPoolExecutor(1)
        self._open: transaction.Atomic | None = None

    def begin(self) -> "Writer":
        self._open = transaction.atomic()
        self.do(self._open.__enter__)
        return self

    def append(self, count: int = 1) -> None:
        self.do(lambda: events_append(chain=self._chain, course="c", mode="adaptive", drafts=drafts_of(count)))

    def commit(self) -> None:
        self._end(None)

    def roll_back(self) -> None:
        self._end(RuntimeError)

    def do(self, work: Callable[[], Result]) -> Result:
        return self._thread.submit(work).result(timeout=30)

    def _end(self, error: type[BaseException] | None) -> None:
        block, self._open = self._open, None
        assert block is not None
        self.do(lambda: block.__exit__(error, error() if error else None, None))

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._open is not None:
            self.roll_back()
        self.do(lambda: connection.close())  # looked up there: each thread has its own
        self._thread.shutdown()
