"""What goes into an anchor: the ends of chained tables, and what layers above register in `AppConfig.ready()`."""

from dataclasses import dataclass

from telemetry.chains.tables import chained_tables


@dataclass(frozen=True)
class AnchorSource:
    """Rows that only grow, each known by a key.

    `ends` is SQL for all of them: the key, how far it has grown, as a number, and what is there, as text: a chain's
    length and the hash of its last row. `then` is SQL over `wanted (key, number)` for the key, the number, and the text
    as it is now at that number, NULL where it is not there any more.
    """

    name: str
    ends: str
    then: str


_sources: list[AnchorSource] = []


def anchor_source_register(source: AnchorSource) -> None:
    """Put these into each anchor from now on; a second time changes nothing."""
    if source not in _sources:
        _sources.append(source)


def anchor_sources() -> list[AnchorSource]:
    """All of them in the order of their names, which is that of an anchor's lines."""
    chains = (
        _of_chains(table.name, table.heads._meta.db_table, table.rows._meta.db_table) for table in chained_tables()
    )
    return sorted((*chains, *_sources), key=lambda source: source.name)


def _of_chains(name: str, heads: str, rows: str) -> AnchorSource:
    return AnchorSource(
        name=name,
        ends=f"SELECT key, length, head_hash FROM {heads} WHERE length > 0",  # noqa: S608 - names of tables
        then=f"""
            SELECT wanted.key, wanted.number, e.hash FROM wanted
            LEFT JOIN {heads} AS head ON head.key = wanted.key
            LEFT JOIN {rows} AS e ON e.chain_id = head.key AND e.seq = wanted.number""",  # noqa: S608
    )
