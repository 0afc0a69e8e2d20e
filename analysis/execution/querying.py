"""Queries of one execution: each is written down, bounded, and stopped when time is over or somebody cancels."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

import ibis
import pyarrow as pa
from django.utils.translation import gettext as _
from ibis.common.exceptions import IbisError

from analysis.execution.engines import engine_of
from analysis.execution.failures import ExecutionStopped, ToolRefused
from analysis.execution.limits import Cancel, Limits
from analysis.execution.source import Source

_TICK: Final = 0.05  # seconds between looks at the clock; also how long a cancelled query may go on


class Queries:
    """The one way to the engine. `sql` has what was run, `asked` the seconds that `ask` took. Used as a context."""

    def __init__(self, source: Source, limits: Limits, cancel: Cancel) -> None:
        self._backend = source.backend
        self._engine = engine_of(source.backend)
        self._limits = limits
        self._cancel = cancel
        self._deadline = monotonic() + limits.seconds
        self.sql: list[str] = []
        self.asked = 0.0

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Limit the engine's memory. Raises `ExecutionStopped` when a query inside needs more."""
        memory = self._limits.memory
        try:
            memory = self._engine.limit_memory(self._backend, memory)
            yield
        except self._engine.out_of_memory as error:
            raise ExecutionStopped(
                _("The analysis needs more than %(memory)s of memory.") % {"memory": memory}
            ) from error

    def fetch(self, table: ibis.Table, most: int) -> pa.Table:
        """At most `most` rows and one more, which says that there are more.

        Raises `ToolRefused` for errors of the engine, but for those of memory, which `limited` is for.
        """
        bounded = _readable(table).limit(most + 1)
        try:
            self.sql.append(self._backend.compile(bounded, pretty=True))
            with self._watched():
                return self._backend.to_pyarrow(bounded)
        except self._engine.stopped as error:
            raise self._stopped() from error
        except self._engine.out_of_memory:
            raise
        except (IbisError, pa.ArrowException, *self._engine.errors) as error:
            raise ToolRefused(
                wanted=_("a query that the engine can run"),
                got=str(error).strip().split("\n", 1)[0][:300],
                mend=_("Filter out the rows that it cannot compute, or use other columns."),
            ) from error

    def ask(self, table: ibis.Table, *, most: int = 1000) -> Sequence[dict[str, Any]]:
        """Few rows, now; see `outputs.Ask`."""
        begun = monotonic()
        rows: list[dict[str, Any]] = self.fetch(table, most).to_pylist()
        self.asked += monotonic() - begun
        if len(rows) > most:
            raise ToolRefused(
                wanted=_("at most %(most)d rows") % {"most": most},
                got=_("more"),
                mend=_("Group or filter the rows first."),
            )
        return rows

    def _stopped(self) -> ExecutionStopped:
        if self._cancel.is_cancelled:
            return ExecutionStopped(_("The analysis was cancelled."))
        return ExecutionStopped(
            _("The analysis took longer than %(seconds)g seconds.") % {"seconds": self._limits.seconds}
        )

    @property
    def _is_over(self) -> bool:
        return self._cancel.is_cancelled or monotonic() >= self._deadline

    @contextmanager
    def _watched(self) -> Iterator[None]:
        if self._is_over:
            raise self._stopped()
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(done,), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()

    def _watch(self, done: threading.Event) -> None:
        """Interrupt again and again: a query that has not begun yet would not notice the first time."""
        while not done.wait(_TICK):
            if self._is_over:
                self._engine.interrupt(self._backend)


def _readable(table: ibis.Table) -> ibis.Table:
    """Durations as text: Arrow cannot take those that engines have."""
    durations = [name for name in table.columns if table[name].type().is_interval()]
    return table.mutate(*(table[name].cast("string").name(name) for name in durations)) if durations else table
