"""Events as a chained table."""

import json

from telemetry.chains.tables import ChainedRow, ChainedTable, moment_column, moment_text
from telemetry.contracts.hashing import event_hash
from telemetry.models import Chain, Event


def _hash_of(row: ChainedRow) -> str:
    timestamp, level, event, course, mode, data = row.content
    return event_hash(
        chain=row.chain,
        seq=row.seq,
        timestamp=moment_text(timestamp),
        level=level,
        event=event,
        course=course,
        mode=mode,
        data=json.loads(data),
        previous_hash=row.previous_hash,
    )


EVENTS = ChainedTable(
    name="event",
    plural="events",
    heads=Chain,
    rows=Event,
    columns=f"{moment_column('e.timestamp')}, e.level, e.event, e.course, e.mode, e.data::text",
    hash_of=_hash_of,
)
