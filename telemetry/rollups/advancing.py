"""Counting events once and keeping the sums. See docs/decisions/0014-roll-ups-and-the-horizon.md.

Each measure has a mark, the last event that is in its sums; sums and mark move in one transaction. Events
between the mark and the horizon are counted by each reader, with the same SQL.
"""

from collections.abc import Sequence

from django.db import connection, transaction

from telemetry.models import Event, RollUp, RollUpMark
from telemetry.panels import Measure, measures
from telemetry.rollups.horizon import horizon_advance

CHUNK_IDS = 20_000
_LOCK = 5_307_114_902_417  # any number that no other advisory lock of the database has

# A day is one of UTC. Of the label as much as the column holds.
_COUNT = """
SELECT '{name}' AS measure, day, course, mode, left(coalesce(({label})::text, ''), 200) AS label,
       count(*) AS count, coalesce(sum({amount}), 0)::float8 AS total
FROM {events} WHERE event IN ({names}) AND ({where}) {more}
GROUP BY 2, 3, 4, 5
"""
EVENT_COLUMNS = "id, event, (timestamp AT TIME ZONE 'UTC')::date AS day, course, mode, data"
_ADD = """
WITH chunk AS MATERIALIZED (
    SELECT {columns} FROM telemetry_event WHERE id > %(after)s AND id <= %(upto)s AND event = ANY(%(events)s)
)
INSERT INTO telemetry_rollup (measure, day, course, mode, label, count, total)
{counts}
ON CONFLICT (measure, day, course, mode, label)
DO UPDATE SET count = telemetry_rollup.count + excluded.count, total = telemetry_rollup.total + excluded.total
"""


def count_sql(measure: Measure, *, events: str, more: str = "") -> str:
    """SQL that counts a measure among rows of `EVENT_COLUMNS`; `more` is a further condition, beginning with AND."""
    names = ", ".join(f"'{name}'" for name in measure.events)
    sql = _COUNT.format(
        name=measure.name,
        label=measure.label,
        amount=measure.amount,
        events=events,
        names=names,
        where=measure.where,
        more=more,
    )
    return sql.strip()


def event_names(counted: Sequence[Measure]) -> list[str]:
    """Every event that some of the measures look at."""
    return sorted({name for measure in counted for name in measure.events})


def rollups_advance(*, chunk: int = CHUNK_IDS) -> int:
    """Add what came since the marks, up to the horizon, and return how many ids were gone through.

    One transaction for each `chunk` of ids, counted from the first event that is left. While another process does this,
    it returns at once; the rest is for the next time. A measure that is new, or is counted in another way than
    its sums were, begins with the first event, and the others wait until it is where they are.
    """
    horizon, gone = horizon_advance(), 0
    while step := _advance_one(horizon, chunk):
        gone += step
    return gone


@transaction.atomic
def _advance_one(horizon: int, chunk: int) -> int:
    """Roll up one chunk for those measures that are the furthest behind; 0 when there is nothing to do."""
    by_name = {measure.name: measure for measure in measures()}
    if not by_name or not _only_one():
        return 0
    marks = _marks(by_name)
    after = min(marks.values())
    behind = [by_name[name] for name, upto in marks.items() if upto == after]
    limit = min([horizon, *(mark for mark in marks.values() if mark > after)])
    if limit <= after:
        return 0
    # From the first event there is: ids are lost to what was rolled back, and a copied database may begin with any.
    first = Event.objects.filter(id__gt=after, id__lte=limit).order_by("id").values_list("id", flat=True).first()
    upto = limit if first is None else min(first - 1 + chunk, limit)
    if first is not None:
        _add(behind, after, upto)
    RollUpMark.objects.filter(measure__in=[measure.name for measure in behind]).update(upto=upto)
    return upto - after


def _only_one() -> bool:
    """Take the lock of rolling up until the transaction ends; False when another process has it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [_LOCK])
        return bool(cursor.fetchone()[0])


def _marks(by_name: dict[str, Measure]) -> dict[str, int]:
    """Where each measure is. The sums of another definition are gone, and it begins anew."""
    stored = {mark.measure: mark for mark in RollUpMark.objects.filter(measure__in=by_name)}
    fresh = [
        RollUpMark(measure=name, definition=measure.definition)
        for name, measure in by_name.items()
        if name not in stored or stored[name].definition != measure.definition
    ]
    if fresh:
        RollUp.objects.filter(measure__in=[mark.measure for mark in fresh]).delete()
        RollUpMark.objects.bulk_create(
            fresh, update_conflicts=True, unique_fields=["measure"], update_fields=["definition", "upto"]
        )
    return {mark.measure: mark.upto for mark in [*stored.values(), *fresh]}


def _add(counted: Sequence[Measure], after: int, upto: int) -> None:
    counts = "\nUNION ALL\n".join(count_sql(measure, events="chunk") for measure in counted)
    sql = _ADD.format(columns=EVENT_COLUMNS, counts=counts)
    with connection.cursor() as cursor:
        cursor.execute(sql, {"after": after, "upto": upto, "events": event_names(counted)})
