"""The writes of the audit trail: events at the end of a chain, and the outcome of a check of any chain."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

from telemetry.anchors.files import anchor_files
from telemetry.anchors.making import AnchorMade, anchor_make
from telemetry.anchors.sending import anchors_send
from telemetry.chains.signatures import Head, head_extend
from telemetry.chains.signing import Chosen, Signing, chains_sign, heads_are_unsigned
from telemetry.chains.tables import chained_tables, head_lock
from telemetry.chains.verification import chains_verify
from telemetry.contracts import AUDIT_CHAIN, EXPORTS_CHAIN, ChainCheck, EventDraft, EventLevel, EventName, EventRecord
from telemetry.contracts.hashing import canonical_json, event_hash, timestamp_text, to_millisecond
from telemetry.errors import ChainUnknown, TransactionRequired
from telemetry.models import Chain
from telemetry.rollups.advancing import rollups_advance
from telemetry.rollups.horizon import horizon_advance

__all__ = (
    "anchor_set",
    "chain_check",
    "chains_mark_verified",
    "events_append",
    "export_record",
    "head_lock",
    "horizon_advance",
    "nothing_is_signed",
    "rollups_advance",
    "trail_sign",
    "trail_sign_first",
)

# Plain SQL, like `head_lock`: this is part of every learner's turn.
_APPEND = """
WITH head AS (UPDATE telemetry_chain SET length = %(length)s, head_hash = %(head_hash)s, signature = %(signature)s
              WHERE key = %(chain)s)
INSERT INTO telemetry_event (chain_id, seq, timestamp, level, event, course, mode, data, previous_hash, hash)
SELECT %(chain)s, seq, %(now)s, level, event, %(course)s, %(mode)s, data::jsonb, previous_hash, hash
FROM unnest(%(seqs)s::int[], %(levels)s::text[], %(events)s::text[], %(data)s::text[], %(previous)s::text[],
            %(hashes)s::text[]) AS new (seq, level, event, data, previous_hash, hash)
ORDER BY seq
"""
_MARK = """
WITH seen AS (
    SELECT * FROM unnest(%(keys)s::text[], %(lengths)s::int[], %(faults)s::int[]) AS checks (key, length, fault)
), locked AS (
    SELECT key FROM {table} WHERE key = ANY(%(keys)s::text[]) ORDER BY key FOR NO KEY UPDATE
)
UPDATE {table} AS chain SET
    verified_at = CASE WHEN fault IS NULL THEN %(now)s ELSE verified_at END,
    verified_length = CASE WHEN fault IS NULL THEN greatest(verified_length, seen.length) ELSE verified_length END,
    broken_at = fault
FROM seen JOIN locked USING (key) WHERE chain.key = seen.key
"""


def events_append(
    *, chain: str, course: str, mode: str, drafts: Sequence[EventDraft], now: datetime | None = None
) -> list[EventRecord]:
    """Append the drafts, in order and all with one time, to the chain named `chain` (created by its first event).

    Holds the chain's lock until the caller's transaction ends, so two calls at once wait for each other. The chain is
    signed up to its new end where it was signed up to the one before. `now` must be aware and is cut to the
    millisecond. Two statements when the chain exists; none without drafts. Raises `TransactionRequired` outside a
    transaction.
    """
    if not connection.in_atomic_block:
        raise TransactionRequired("events_append must be called inside the transaction that does what the events tell")
    if not drafts:
        return []
    moment = to_millisecond(now or timezone.now())
    head = head_lock(Chain, chain, course=course)
    records = [
        EventRecord(
            timestamp=moment,
            level=draft.level,
            event=draft.event,
            session_id=chain,
            data=draft.data,
            seq=seq,
            course=course,
            mode=mode,
        )
        for seq, draft in enumerate(drafts, start=head.length + 1)
    ]
    _insert(records, head, [head.hash, *_hashes(records, head.hash)])
    return records


def chains_mark_verified(*, checks: Sequence[ChainCheck], now: datetime | None = None) -> None:
    """Store the outcome of each check with its chain, in one statement for each table.

    A good check moves `verified_at` and `verified_length` and clears `broken_at`; a bad one sets `broken_at` to the
    place of its fault and leaves what was last known good.
    """
    moment = now or timezone.now()
    for table in chained_tables():
        if own := [check for check in checks if check.table == table.name]:
            _mark(table.heads, own, moment)


def chain_check(*, key: str) -> ChainCheck:
    """Check one chain of any table now, and store the outcome with it. Raises `ChainUnknown`."""
    checks = list(chains_verify([key]))
    if not checks:
        raise ChainUnknown(f"there is no chain {key!r}")
    chains_mark_verified(checks=checks)
    return next((check for check in checks if check.fault), checks[0])


@transaction.atomic
def export_record(*, by: int | None, form: str, filters: dict[str, Any]) -> EventRecord:
    """Write down, before the first line leaves, that events are exported: event telemetry.exported in its own chain.

    `by` is the user's id, None for the command line of the server; `form` is the format, such as "jsonl" or
    "csv"; `filters` says in JSON values which events, and up to which id.
    """
    draft = EventDraft(event=EventName.TELEMETRY_EXPORTED, data={"by": by, "form": form, "filters": filters})
    return events_append(chain=EXPORTS_CHAIN, course="", mode="", drafts=[draft])[0]


def anchor_set() -> tuple[AnchorMade, dict[str, str]]:
    """Write an anchor into `AUDIT_ANCHORS` and send it; by address why it was not sent, empty where it was.

    Event audit.anchored says so where staff look, as a warning where an address got nothing. Raises `OSError` where the
    anchor cannot be written.
    """
    made = anchor_make(settings.AUDIT_ANCHORS, now=timezone.now())
    failed = anchors_send(settings.AUDIT_ANCHORS)
    data = {"anchor": made.file.number, "digest": made.digest, "ends": made.count, "sent": failed}
    level = EventLevel.WARNING if any(failed.values()) else EventLevel.INFO
    _audit_record(EventDraft(event=EventName.AUDIT_ANCHORED, level=level, data=data))
    return made, failed


def nothing_is_signed() -> bool:
    """Whether all that is there is from before signatures. Anchors came with them, and lie apart from the database."""
    return heads_are_unsigned() and not anchor_files(settings.AUDIT_ANCHORS)


def trail_sign(chosen: Chosen = lambda _key: False) -> list[Signing]:
    """Sign whole chains with the newest key, and what is unsigned in chosen ones; event audit.signed says how many.

    The connection is that of the owner of the tables.
    """
    signings = list(chains_sign(lambda checks: chains_mark_verified(checks=checks), chosen))
    if counts := {signing.name: signing.signed for signing in signings if signing.signed}:
        _audit_record(EventDraft(event=EventName.AUDIT_SIGNED, level=EventLevel.WARNING, data=counts))
    return signings


@transaction.atomic
def trail_sign_first() -> list[Signing]:
    """Sign all that is there where nothing is signed yet, else nothing. Cut off, it has done nothing."""
    return trail_sign(lambda _key: True) if nothing_is_signed() else []


@transaction.atomic
def _audit_record(draft: EventDraft) -> None:
    events_append(chain=AUDIT_CHAIN, course="", mode="", drafts=[draft])


def _mark(heads: type[Model], checks: Sequence[ChainCheck], now: datetime) -> None:
    parameters: dict[str, Any] = {
        "keys": [check.chain for check in checks],
        "lengths": [check.length for check in checks],
        "faults": [check.fault.seq if check.fault else None for check in checks],
        "now": now,
    }
    with connection.cursor() as cursor:
        cursor.execute(_MARK.format(table=heads._meta.db_table), parameters)


def _hashes(records: Sequence[EventRecord], previous: str) -> Iterator[str]:
    timestamp = timestamp_text(records[0].timestamp)
    for record in records:
        previous = event_hash(
            chain=record.session_id,
            seq=record.seq,
            timestamp=timestamp,
            level=record.level,
            event=record.event,
            course=record.course,
            mode=record.mode,
            data=record.data,
            previous_hash=previous,
        )
        yield previous


def _insert(records: Sequence[EventRecord], head: Head, hashes: Sequence[str]) -> None:
    """`hashes` begins with that of the head, so it is one longer than `records`."""
    links = list(pairwise(hashes))
    last = records[-1]
    parameters: dict[str, Any] = {
        "chain": last.session_id,
        "course": last.course,
        "mode": last.mode,
        "now": last.timestamp,
        "length": last.seq,
        "head_hash": hashes[-1],
        "signature": head_extend(Chain._meta.db_table, last.session_id, head, last.seq, hashes[-1]),
        "seqs": [record.seq for record in records],
        "levels": [record.level.value for record in records],
        "events": [record.event for record in records],
        "data": [canonical_json(record.data) for record in records],
        "previous": [previous for previous, _ in links],
        "hashes": [hash_ for _, hash_ in links],
    }
    with connection.cursor() as cursor:
        cursor.execute(_APPEND, parameters)
