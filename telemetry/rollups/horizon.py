"""Up to which event everything is there for good. See docs/decisions/0014-roll-ups-and-the-horizon.md."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection

_READ = """
SELECT CASE WHEN drawn.is_called THEN drawn.last_value ELSE 0 END,
       horizon.settled, horizon.candidate, horizon.candidate_xmax
FROM telemetry_event_id_seq AS drawn LEFT JOIN telemetry_horizon AS horizon ON horizon.id = 1
"""
# One row: the number that the next transaction will have, at least, and the numbers of those that write events, with
# NULL for one that has none yet. The numbers of locks are the lower 32 bits.
_WRITERS = """
WITH held AS MATERIALIZED (
    SELECT * FROM pg_locks WHERE granted AND pid IS DISTINCT FROM pg_backend_pid()
), writers AS (
    SELECT virtualtransaction FROM held
    WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND relation = 'telemetry_event'::regclass
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)
SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint, ARRAY(
    SELECT number.transactionid::text::bigint FROM writers LEFT JOIN held AS number
    ON number.virtualtransaction = writers.virtualtransaction
    AND number.locktype = 'transactionid' AND number.mode = 'ExclusiveLock'
)
"""
# Only by whoever gets the lock: a second INSERT of the same row would wait for the first one's transaction.
_CREATE = """
INSERT INTO telemetry_horizon (id, settled, candidate, candidate_xmax)
SELECT 1, 0, 0, 0 WHERE pg_try_advisory_xact_lock(%s) ON CONFLICT DO NOTHING
"""
_CREATE_LOCK = 5_307_114_902_418  # any number that no other advisory lock of the database has
_MOVE = """
UPDATE telemetry_horizon SET settled = %s, candidate = %s, candidate_xmax = %s WHERE id = (
    SELECT id FROM telemetry_horizon WHERE (settled, candidate, candidate_xmax) = (%s, %s, %s)
    FOR NO KEY UPDATE SKIP LOCKED
)
"""


class _State(NamedTuple):
    """As `models.Horizon` has it: all up to `settled` is there; up to `candidate` once no writer below `xmax` is."""

    settled: int = 0
    candidate: int = 0
    xmax: int = 0


def horizon_advance() -> int:
    """The id of the last event up to which every event is there for good: no later commit adds one at or below it.

    Never goes back and never waits. When no transaction is writing events, one call settles all there are; while some
    are, it takes the last id as a candidate and answers what is settled so far, and a later call settles the candidate
    once these transactions have ended. It is exact: an INSERT takes its lock on `telemetry_event` before it draws an id
    and keeps it until its transaction has ended and can be seen. So a writer that drew an id before the first statement
    here still holds the lock in the second, or its rows are visible to the next statement. Two calls at once are fine.

    Up to five statements; one when no event was written since. Read the events in a later statement, and not in a
    transaction of REPEATABLE READ, whose view may be older than this answer. Inside a transaction the caller's own
    events count as there.
    """
    last, state = _read()
    if state is not None and last <= state.settled:
        return state.settled
    if state is None:
        if not _execute(_CREATE, [_CREATE_LOCK]):
            return 0
        state = _State()
    moved = _moved(state, last, *_writers())
    if moved != state and not _execute(_MOVE, [*moved, *state]):
        return state.settled  # somebody else is moving it right now
    return moved.settled


def _moved(state: _State, last: int, next_number: int, writers: Sequence[int | None]) -> _State:
    """The state once it is known who writes, after `last` was read."""
    if not writers:
        return _State(last, last)
    numbers = [number for number in writers if number is not None]
    # A candidate from another cluster, restored here, may name a number that this one has not reached for years.
    foreign = state.xmax > max([next_number, *(number + 1 for number in numbers)])
    if state.candidate > state.settled and not foreign:
        if len(numbers) < len(writers) or min(numbers) < state.xmax:
            return state
        state = _State(state.candidate, state.candidate)
    if len(numbers) < len(writers):
        return state  # one that has no number yet cannot be told from those to come: no new candidate in this moment
    return _State(state.settled, last, max(numbers) + 1)


def _read() -> tuple[int, _State | None]:
    with connection.cursor() as cursor:
        cursor.execute(_READ)
        last, *stored = cursor.fetchone()
    return last, None if stored[0] is None else _State(*stored)


def _writers() -> tuple[int, list[int | None]]:
    with connection.cursor() as cursor:
        cursor.execute(_WRITERS)
        next_number, numbers = cursor.fetchone()
    return next_number, [None if number is None else _whole(number, next_number) for number in numbers]


def _whole(number: int, near: int) -> int:
    """All 64 bits of a transaction's number of which the lower 32 are given; live ones are within 2**31 of `near`."""
    return near + (number - near + 2**31) % 2**32 - 2**31


def _execute(sql: str, parameters: Sequence[int] = ()) -> int:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return int(cursor.rowcount)
