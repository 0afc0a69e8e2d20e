"""Commands for people with files: JSON lines in, one JSON line out for each. Source: design.md, "Batch commands".

A command names the contract of its rows and answers one; the rest is here. It runs in a bare clone: it must not need a
database. Such commands are listed in `config.batch.COMMANDS`, so that settings start no database for them.
"""

import json
import logging
import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from django.core.management.base import BaseCommand
from pydantic import ConfigDict

from core.batch.json_lines import BadLine, line_read, lines_in_chunks
from core.contracts import Contract

CHUNK = 256
_PROGRESS_SECONDS = 0.25
_FAILED = "this row could not be answered; why stands on standard error"
_log = logging.getLogger(__name__)


class BatchRow(Contract):
    """A row of a file. Fields that the command does not know are left alone: files carry labels and ids."""

    model_config = ConfigDict(extra="ignore")


class RowRefused(BadLine):
    """A row that fits its contract and still cannot be answered, in words for its author."""


Row = TypeVar("Row", bound=Contract)


class BatchCommand(BaseCommand, ABC, Generic[Row]):
    """Rows from standard input, answers to standard output in the same order, `{"error": ...}` for a bad one."""

    row: type[Row]
    requires_system_checks = []

    def begin(self, **options: Any) -> None:
        """Take the options, read files they name; called once, before the first row. Raises `CommandError`."""

    def prepare(self, rows: Sequence[Row]) -> None:
        """Do at once, for a chunk of rows, what is dearer one by one; `answer` must not depend on it."""

    @abstractmethod
    def answer(self, row: Row) -> Mapping[str, Any]:
        """The answer to one row, JSON values only. Raises `RowRefused`."""

    def handle(self, *args: Any, **options: Any) -> None:
        self.begin(**options)
        progress = Progress(sys.stderr.write if sys.stderr.isatty() and not sys.stdin.isatty() else None)
        try:
            with reader_may_leave():
                for lines in lines_in_chunks(sys.stdin.buffer, CHUNK):
                    self.stdout.write("".join(self._answers(lines)), ending="")
                    self.stdout.flush()
                    progress.add(len(lines))
        except KeyboardInterrupt:
            sys.exit(130)
        finally:
            progress.end()

    def _answers(self, lines: Sequence[bytes]) -> list[str]:
        read = [self._read(line) for line in lines]
        try:
            self.prepare([row for row in read if not isinstance(row, BadLine)])
        except Exception:
            _log.exception("preparing rows failed; they are answered one by one")
        return [f"{self._line(row)}\n" for row in read]

    def _read(self, line: bytes) -> Row | BadLine:
        try:
            return line_read(line, self.row)
        except BadLine as error:
            return error

    def _line(self, row: Row | BadLine) -> str:
        """ASCII: it can be written to anything, whatever was quoted in it."""
        if isinstance(row, BadLine):
            return json.dumps({"error": str(row)})
        try:
            return json.dumps(self.answer(row), allow_nan=False)
        except RowRefused as error:
            return json.dumps({"error": str(error)})
        except Exception:
            # A fault of ours costs this row, not those that follow.
            _log.exception("answering a row failed")
            return json.dumps({"error": _FAILED})


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """End quietly where the reader of standard output has seen enough (`| head`)."""
    try:
        yield
    except BrokenPipeError:
        # What Python still holds must go nowhere, or it complains at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class Progress:
    """How many rows are done and how fast, in one line that is written anew; nothing where `write` is None."""

    def __init__(self, write: Callable[[str], object] | None, rows: str = "rows") -> None:
        self._write, self._rows = write, rows
        self._done, self._is_begun = 0, False
        self._next = self._began = time.monotonic()

    def add(self, rows: int) -> None:
        self._done, self._is_begun = self._done + rows, True
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + _PROGRESS_SECONDS
            self._show()

    def end(self) -> None:
        """Leave the last figures in a line that is finished."""
        if self._is_begun:
            self._show("\n")
        self._is_begun = False

    def _show(self, end: str = "") -> None:
        if self._write:
            speed = self._done / max(time.monotonic() - self._began, 0.001)
            self._write(f"\r{self._done:,} {self._rows}, {speed:,.0f} a second{end}")
