"""The head of a chain, taken by whoever appends to it."""

from django.db import connection

from telemetry.chain import genesis_hash
from telemetry.models import ChainHead

# Plain SQL: this is part of every learner's turn. FOR NO KEY UPDATE is what moving the head takes anyway.
_LOCK = "SELECT length, head_hash FROM {table} WHERE key = %s FOR NO KEY UPDATE"
_CREATE = """
INSERT INTO {table} (key, head_hash, length, verified_length{names}) VALUES (%s, %s, 0, 0{places})
ON CONFLICT (key) DO NOTHING
"""


def head_lock(heads: type[ChainHead], key: str, **columns: str) -> tuple[int, str]:
    """Length and last hash of the chain, created with these `columns` when there is none, and locked.

    Until the caller's transaction ends whoever else wants it waits. One statement when the chain exists, else three.
    """
    table = heads._meta.db_table
    lock = _LOCK.format(table=table)
    with connection.cursor() as cursor:
        cursor.execute(lock, [key])
        row = cursor.fetchone()
        if row is None:
            create = _CREATE.format(
                table=table, names="".join(f", {name}" for name in columns), places=", %s" * len(columns)
            )
            # Of two that create it at once the second waits here, inserts nothing and then finds the first one's row.
            cursor.execute(create, [key, genesis_hash(key), *columns.values()])
            cursor.execute(lock, [key])
            row = cursor.fetchone()
    return row[0], row[1]
