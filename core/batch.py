"""Commands for people with files: JSON lines in, one JSON line out for each. Source: design.md, "Batch commands".

A command names the contract of its rows and answers one; the rest is here. It runs in a bare clone: it must not need a
database. Such commands stand in `config.batch.COMMANDS`, so that settings start nothing for them.
"""

import json
import logging
import os
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, TypeVar

from django.core.management.base import BaseCommand
from pydantic import ConfigDict

from core.contracts import Contract
from core.json_lines import BadLine, line_read, lines_in_chunks

CHUNK = 256
_PROGRESS_SECONDS = 0.25
_FAILED = "this row could not be answered; why stands on standard error"
_log = logging.getLogger(__name__)


class BatchRow(Contract):
    """A row of a file. Fields that the command does not know are left alone: files carry labels and ids."""

    model_config = ConfigDict(extra="ignore")


class RowRefused(BadLine):
    """A row that fits its contract and still cannot be answered, in words for whoever wrote it."""


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
        progress = Progress()
        try:
            for lines in lines_in_chunks(sys.stdin.buffer, CHUNK):
                self.stdout.write("".join(self._answers(lines)), ending="")
                self.stdout.flush()
                progress.add(len(lines))
        except BrokenPipeError:
            # The reader has seen enough (`| head`). What Python still holds must go nowhere, or it complains at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
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


class Progress:
    """How many rows are done and how fast, on standard error when somebody looks at it and types no rows."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty() and not sys.stdin.isatty()
        self._done, self._began = 0, time.monotonic()
        self._next = self._began

    def add(self, rows: int) -> None:
        self._done += rows
        if self._shown and time.monotonic() >= self._next:
            self._next = time.monotonic() + _PROGRESS_SECONDS
            self._show()

    def end(self) -> None:
        """Leave the last figures standing."""
        if self._shown and self._done:
            self._show()
            sys.stderr.write("\n")

    def _show(self) -> None:
        speed = self._done / max(time.monotonic() - self._began, 0.001)
        sys.stderr.write(f"\r{self._done:,} rows, {speed:,.0f} a second")
        sys.stderr.flush()
