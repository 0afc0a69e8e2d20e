"""Which tables are chained. Telemetry's events are the first; layers above register theirs in `AppConfig.ready()`.

A chained table is a model of heads, made of `ChainHead`, and a model of rows with `chain_id`, `seq` from 1,
`previous_hash` and `hash`. Each table says how a row becomes its hash; that the hashes make a chain is checked for all
in the same way.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models import Model

from telemetry.chains.signatures import Head
from telemetry.contracts import FaultKind
from telemetry.contracts.hashing import genesis_hash
from telemetry.models import ChainHead


class ChainedRow(NamedTuple):
    """A row as a check reads it, after the head of its chain; `content` is what the table's `columns` gave."""

    chain: str
    length: int
    head_hash: str
    verified_length: int
    signature: str
    id: int | UUID | None  # None, like all that follow, in the one row of a chain without rows
    seq: int
    previous_hash: str
    hash: str
    content: tuple[Any, ...]


FaultOf = Callable[[ChainedRow], tuple[FaultKind, str] | None]


@dataclass(frozen=True)
class ChainedTable:
    """A table whose rows make chains.

    `name` is what one row is called, and by what the table is known; `plural` counts them. `columns` is SQL over the
    row, known as `e`, for what `hash_of` needs. It should give times and JSON as text: a tampered row may hold what
    Python cannot read, and must be named, not crash the check. `hash_of` says which hash a row should have; a
    `ValueError` or a `RecursionError` of it means that such a row could not have been written. `check` is called for
    each walk and gives what finds, row by row in the order of their chains, what else is wrong with a row whose hash is
    right, as a kind and a sentence. `missing_entries` is SQL for what must have a row here and has none: the key of its
    chain, a number, and what it is; of several in a chain that with the lowest number is named. `%(only)s` are the keys
    looked for, NULL for all.
    """

    name: str
    plural: str
    heads: type[Model]
    rows: type[Model]
    columns: str
    hash_of: Callable[[ChainedRow], str]
    check: Callable[[], FaultOf] | None = None
    missing_entries: str = ""

    @property
    def page(self) -> str:
        """The name of the admin's page that shows a head, where there is one."""
        return f"admin:{self.heads._meta.app_label}_{self.heads._meta.model_name}_change"


@dataclass(frozen=True)
class Witness:
    """Rows of a layer above that the rows of a chained table tell of, such as turns, of which events tell.

    `sql` gives what does not agree: the key of the chain, a number, what it is, and the place in the chain that tells
    otherwise, NULL where no row tells of it; of several in a chain that with the lowest number is named. `%(only)s` are
    the keys looked for, NULL for all.
    """

    table: str
    sql: str


_tables: dict[str, ChainedTable] = {}
_witnesses: list[Witness] = []


def chained_register(table: ChainedTable) -> None:
    """Check this from now on; raises `ValueError` for a name that means another."""
    if _tables.setdefault(table.name, table) != table:
        raise ValueError(f"there is another chained table {table.name!r}")


def chained_tables() -> tuple[ChainedTable, ...]:
    """All of them, as they were registered."""
    return tuple(_tables.values())


def witness_register(witness: Witness) -> None:
    """Hold this against its chained table from now on; a second time changes nothing."""
    if witness not in _witnesses:
        _witnesses.append(witness)


def witnesses_of(table: ChainedTable) -> list[Witness]:
    """Those of a table, as they were registered."""
    return [witness for witness in _witnesses if witness.table == table.name]


def moment_column(column: str) -> str:
    """SQL for a time as text. The era, which `moment_text` takes off, shows a year moved to before Christ."""
    return f"""to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"BC')"""


def moment_text(text: str | None) -> str:
    """What `moment_column` gave, in the form that is hashed; of another era, or infinite, no form that ever is."""
    return (text or "").removesuffix("AD")


# Plain SQL: this is part of every learner's turn. FOR NO KEY UPDATE is what moving the head takes anyway.
_LOCK = "SELECT length, head_hash, signature FROM {table} WHERE key = %s FOR NO KEY UPDATE"
_CREATE = """
INSERT INTO {table} (key, head_hash, length, verified_length{names}) VALUES (%s, %s, 0, 0{places})
ON CONFLICT (key) DO NOTHING
"""


def head_lock(heads: type[ChainHead], key: str, **columns: str) -> Head:
    """The end of the chain, created with these `columns` when there is none, and locked.

    Others wait for it until the caller's transaction ends. One statement when the chain exists, else three.
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
    return Head(*row)
