"""Hands that may do in the database what the application may not. Tests log in as the superuser and work as the
application's role; here they are the superuser again for a moment."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import DatabaseError, ProgrammingError, connection, transaction
from psycopg.pq import TransactionStatus

from config.database_roles import APPLICATION, OWNER


@contextmanager
def as_role(role: str = "NONE") -> Iterator[None]:
    """Work as another role; as the superuser where none is named."""
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {role}")
        try:
            yield
        finally:
            if connection.connection.info.transaction_status != TransactionStatus.INERROR:
                cursor.execute(f"SET ROLE {APPLICATION}")


@contextmanager
def tampering() -> Iterator[None]:
    """Change anything, as somebody could who has the superuser's password: past grants, triggers and foreign keys."""
    with as_role(), connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        try:
            yield
        finally:
            if connection.connection.info.transaction_status != TransactionStatus.INERROR:
                cursor.execute("SET session_replication_role = origin")


def assert_never(change: Callable[[], object]) -> None:
    """The application has no right to it, and triggers refuse it to the owner too."""
    with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
        change()
    with (
        pytest.raises(DatabaseError, match=r"is refused|Cannot update"),
        transaction.atomic(),
        as_role(OWNER),
    ):
        change()


def executing(statement: str) -> Callable[[], object]:
    return lambda: connection.cursor().execute(statement)
