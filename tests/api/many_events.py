"""Many events, put there by the database itself; their hashes are none, which nothing here looks at."""

from datetime import UTC, datetime

from django.db import connection

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)
_CHAINS = """
INSERT INTO telemetry_chain (key, course, length, head_hash, verified_length)
SELECT {key}, 'light', %(events)s, repeat('0', 64), 0 FROM generate_series(1, %(chains)s) AS n
"""
_EVENTS = """
INSERT INTO telemetry_event (chain_id, seq, timestamp, level, event, course, mode, data, previous_hash, hash)
SELECT {key_of_event}, n / %(chains)s + 1, %(noon)s::timestamptz + n * interval '1 second', 'info',
       'evaluation.result', 'light', 'adaptive', jsonb_build_object('askCode', 'ASK_' || n, 'rule', repeat('r', 100)),
       repeat('0', 64), repeat('0', 64)
FROM generate_series(0, %(chains)s * %(events)s - 1) AS n
"""


def fill(*, chains: int, events: int, key: str = "'c-' || {n}") -> None:
    """So many chains of so many events each, one a second from noon on, turn about; with fresh statistics.

    `key` is SQL for the name of chain number `{n}`, from 1.
    """
    values: dict[str, int | datetime] = {"chains": chains, "events": events, "noon": NOON}
    with connection.cursor() as cursor:
        cursor.execute(_CHAINS.format(key=key.format(n="n")), values)
        cursor.execute(_EVENTS.format(key_of_event=key.format(n="(n %% %(chains)s + 1)")), values)
        cursor.execute("ANALYZE telemetry_event")
