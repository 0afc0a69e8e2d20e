"""What a storm needs: connections as the server has them, and somebody who looks at the accounts all the while."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connection

_SAMPLE = """
SELECT max(spent + held - "limit"), max(escalations_used - escalations_limit), max(spent + held), max(held),
       max(escalations_used)
FROM gateway_account WHERE scope = ANY(%s)
"""
_DEADLOCKS = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()"


@dataclass
class Seen:
    """The most that was seen at any moment, over all accounts looked at; money in micro-cents. Over 0 in the first two
    would be an account that is overspent."""

    over_limit: int = -1
    over_escalations: int = -1
    spent_and_held: int = 0
    held: int = 0
    escalations: int = 0
    samples: int = 0
    faults: list[BaseException] = field(default_factory=list)

    def look(self, scopes: list[str]) -> None:
        with connection.cursor() as cursor:
            cursor.execute(_SAMPLE, [scopes])
            row = cursor.fetchone()
        if row[0] is not None:
            names = ("over_limit", "over_escalations", "spent_and_held", "held", "escalations")
            for name, value in zip(names, row, strict=True):
                setattr(self, name, max(getattr(self, name), value))
            self.samples += 1


@contextmanager
def watched(*scopes: str) -> Iterator[Seen]:
    """Look at the accounts of these scopes all the while, from a connection of its own; fails on what is over."""
    seen, stop = Seen(), threading.Event()

    def watch() -> None:
        try:
            while not stop.is_set():
                seen.look(list(scopes))
        except BaseException as error:
            seen.faults.append(error)
        finally:
            connection.close()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield seen
    finally:
        stop.set()
        watcher.join()
    assert seen.faults == []
    assert seen.samples >= 10, "nobody looked"
    assert seen.over_limit <= 0
    assert seen.over_escalations <= 0


@contextmanager
def pooled(size: int = 48) -> Iterator[None]:
    """Connections of a pool, as the server has them: two hundred threads would be more than PostgreSQL lets in.

    Fails when two transactions waited for each other meanwhile: the door would try again, and nobody would know.
    """
    options = settings.DATABASES["default"]["OPTIONS"]
    before = _deadlocks()
    connection.close()
    options["pool"] = {"min_size": 1, "max_size": size, "timeout": 60}
    try:
        yield
    finally:
        connection.close()
        connection.close_pool()  # type: ignore[attr-defined]
        options.pop("pool")
    assert _deadlocks() == before, "two transactions waited for each other"


def _deadlocks() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")
        cursor.execute(_DEADLOCKS)
        return int(cursor.fetchone()[0])
