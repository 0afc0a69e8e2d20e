"""A request that waits for a server outside needs neither a connection to the database nor a thread of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db import IntegrityError, connection

lend_thread: ContextVar[Callable[[], object] | None] = ContextVar("lend_thread", default=None)
"""Set by the web server for each request: lets another request have a thread while this one waits."""


class TransactionOpen(RuntimeError):
    """A transaction is open while an answer from outside is waited for: rows would be locked all that time."""


def require_no_transaction() -> None:
    """Raise `TransactionOpen` inside a transaction; one that a test case put around itself does not count."""
    if any(not getattr(block, "_from_testcase", False) for block in connection.atomic_blocks):
        raise TransactionOpen("a model must not be asked inside a transaction")


def hand_back_connection() -> None:
    """Let others have this thread's connection; it comes again when it is next used. Does nothing in a transaction."""
    if not connection.in_atomic_block:
        connection.close()


@contextmanager
def waiting() -> Iterator[None]:
    """Around the wait of a thread."""
    hand_back_connection()
    lend = lend_thread.get()
    if lend is not None:
        lend()
    yield


@contextmanager
def committed() -> Iterator[None]:
    """At the end of a transaction: what is executed in here goes out together with the COMMIT.

    For rows that many share: otherwise they stay locked while this process waits for its turn to say COMMIT, which with
    a hundred threads takes longer than all else. The results of these statements cannot be fetched; their errors come
    at the end of the block.
    """
    if len(connection.atomic_blocks) > 1:  # a test's own transaction is not committed
        yield
        return
    with connection.wrap_database_errors, connection.connection.pipeline():
        yield
        connection.connection.commit()


def constraint_broken(error: IntegrityError) -> str | None:
    """The name of the constraint that was broken, as the models call it."""
    name: str | None = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None)
    return name
