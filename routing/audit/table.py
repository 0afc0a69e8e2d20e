"""Audit entries as a chained table, with the checks of `audit_verify` besides the chain itself.

Questions, plans, decisions and outputs are committed with an entry or not at all. One without an entry shows that the
end of a chain was cut off with its head, that all of it was, or that a row was put in past the triggers.
"""

import json
from typing import Final

from django.db import connection

from routing.audit.canonical import COLUMNS, checksum, content_stored
from routing.audit.rows import PACK_DIGEST, ROW, STORED, pack_digest, row_digest, stored_read
from routing.models import AuditChain, AuditEntry
from telemetry.chains.keys import ring
from telemetry.chains.tables import ChainedRow, ChainedTable
from telemetry.contracts import FaultKind

# The chain is that of the owner of the question at that time: `query.moved` records that a guest signed in.
# An event's time is cut to the millisecond. Of several what others follow from comes first.
MISSING_ENTRIES: Final = """
WITH moved AS (
    SELECT DISTINCT ON (m.chain_id) m.chain_id, m.data ->> 'from' AS giver, m.timestamp + interval '1 ms' AS until
    FROM telemetry_event AS m WHERE m.event = 'query.moved' ORDER BY m.chain_id, m.seq
), wanted AS (
    SELECT substr(key, length('consult:') + 1) AS who FROM unnest(%(only)s::text[]) AS wanted (key)
    WHERE key ~ '^consult:[0-9]{1,18}$'
), asked AS (
    SELECT q.id, q.created_at, q.user_id::text AS owner, moved.giver, moved.until
    FROM routing_question AS q LEFT JOIN moved ON moved.chain_id = 'query:' || q.id
    WHERE %(only)s::text[] IS NULL OR q.user_id = ANY(ARRAY(SELECT who::bigint FROM wanted))
        OR q.id = ANY(ARRAY(
            SELECT CASE WHEN chain_id ~ '^query:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
                THEN substr(chain_id, length('query:') + 1)::uuid END
            FROM moved JOIN wanted ON wanted.who = moved.giver))
), planned AS (
    SELECT p.id, p.created_at, asked.owner, asked.giver, asked.until
    FROM asked JOIN routing_queryplan AS p ON p.question_id = asked.id
), decided AS (
    SELECT d.id, d.created_at, planned.owner, planned.giver, planned.until
    FROM planned JOIN routing_governordecision AS d ON d.query_plan_id = planned.id
), missing AS (
    SELECT 1 AS place, 'query plan ' || id AS what, created_at, owner, giver, until FROM planned
    WHERE NOT EXISTS (SELECT FROM routing_auditentry AS e WHERE e.query_plan_id = planned.id)
    UNION ALL
    SELECT 2, 'question ' || id, created_at, owner, giver, until FROM asked
    WHERE NOT EXISTS (SELECT FROM routing_auditentry AS e WHERE e.question_id = asked.id)
    UNION ALL
    SELECT 3, 'decision ' || id, created_at, owner, giver, until FROM decided
    WHERE NOT EXISTS (SELECT FROM routing_auditentry AS e WHERE e.governor_decision_id = decided.id)
    UNION ALL
    SELECT 4, 'output ' || o.id, o.created_at, owner, giver, until
    FROM decided JOIN routing_synthesizeroutput AS o ON o.decision_id = decided.id
    WHERE NOT EXISTS (SELECT FROM routing_auditentry AS e WHERE e.synthesizer_output_id = o.id)
), named AS (
    SELECT 'consult:' || CASE WHEN created_at < until THEN COALESCE(giver, owner) ELSE owner END AS key, place, what
    FROM missing
)
SELECT key, place, what FROM named WHERE %(only)s::text[] IS NULL OR key = ANY(%(only)s::text[])
"""


# Which of the rows that an entry names is not there, or not what the entry says; NULL when all are. People read plans
# and questions, not entries: a plan changed behind its entry must be found too, and a column that repeats a plan.
_MISFIT = """
CASE
    WHEN (SELECT q.digest = e.message_digest
              AND (q.salt IS NULL OR encode(sha256(q.salt || q.message), 'hex') = e.message_digest)
          FROM routing_question AS q WHERE q.id = e.question_id) IS NOT TRUE THEN 'question'
    WHEN (SELECT q.user_id::text = e.subject OR EXISTS (
              SELECT FROM telemetry_event AS m
              WHERE m.chain_id = 'query:' || q.id AND m.event = 'query.moved'
                  AND m.data ->> 'from' = e.subject AND m.data ->> 'to' = q.user_id::text)
          FROM routing_question AS q WHERE q.id = e.question_id) IS NOT TRUE THEN 'owner'
    WHEN e.query_plan_id IS NOT NULL AND (
        SELECT p.plan = e.plan_snapshot AND p.question_id = e.question_id
            AND p.plan -> 'mode' = to_jsonb(p.mode) AND p.plan -> 'domain_hint' = to_jsonb(p.domain_hint)
            AND p.plan -> 'domains_selected' = to_jsonb(p.domains) AND p.plan -> 'flags' = to_jsonb(p.flags)
            AND p.plan -> 'confidence' = to_jsonb(p.confidence)
        FROM routing_queryplan AS p WHERE p.id = e.query_plan_id) IS NOT TRUE THEN 'plan'
    WHEN e.governor_decision_id IS NOT NULL AND (
        SELECT d.decision = e.decision_snapshot AND d.query_plan_id = e.query_plan_id
            AND d.decision -> 'recommendation' = to_jsonb(d.recommendation)
            AND d.decision -> 'confidence' = to_jsonb(d.confidence) AND d.decision -> 'flags' = to_jsonb(d.flags)
            AND d.decision -> 'strategic_mode_version' = to_jsonb(d.strategic_mode_version)
        FROM routing_governordecision AS d WHERE d.id = e.governor_decision_id) IS NOT TRUE THEN 'decision'
    WHEN e.synthesizer_output_id IS NOT NULL AND (
        SELECT o.output = e.output_snapshot AND o.decision_id = e.governor_decision_id
        FROM routing_synthesizeroutput AS o WHERE o.id = e.synthesizer_output_id) IS NOT TRUE THEN 'output'
END
"""
_RECORDED = ", ".join(f"e.versions ->> '{name}'" for name in (ROW, PACK_DIGEST))
_CHANGED_HANDS = "its question belongs to somebody else than who asked, and nothing tells of how it changed hands"
_Fault = tuple[FaultKind, str] | None


def _hash_of(row: ChainedRow) -> str:
    return checksum(content_stored(row))


class _EntryCheck:
    """Finds faults of entries whose hash is right; one for each walk.

    It keeps the digests of the packs, read in one statement, and the newest key of the chain.
    """

    def __init__(self) -> None:
        self._keys = ring().keys
        self._ages = {key_id: age for age, key_id in enumerate(self._keys)}
        self._packs: dict[int | None, str | None] = {}
        self._chain, self._newest = "", ""

    def __call__(self, row: ChainedRow) -> _Fault:
        # The last of `COLUMNS`, and what stands behind them.
        key_id, signature, misfit, stored, *digests = row.content[-6:]
        if fault := self._key_fault(row, key_id, signature):
            return fault
        if misfit == "owner":
            return FaultKind.ALTERED, _CHANGED_HANDS
        if misfit := misfit or self._misfit(stored, *digests):
            return FaultKind.ALTERED, f"the {misfit} that it names is not the one that it has on record"
        return None

    def _key_fault(self, row: ChainedRow, key_id: str, signature: str) -> _Fault:
        key = self._keys.get(key_id)
        if key is None:
            return FaultKind.UNKNOWN_KEY, f"it is signed with the key {key_id}, which is not in the ring"
        if not key.signed(row.hash, signature):
            return FaultKind.FORGED, f"its signature is not one of the key {key_id}, which it names"
        if row.chain != self._chain:
            self._chain, self._newest = row.chain, key_id
        if self._ages[key_id] > self._ages[self._newest]:
            return FaultKind.FORGED, f"it is signed with a retired key, {key_id}: {self._newest} had taken its place"
        self._newest = key_id
        return None

    def _misfit(self, stored: str | None, recorded_row: str | None, recorded_pack: str | None) -> str:
        """`pack` or `plan` where it differs from the recorded one; else empty, as for an entry without a plan."""
        if stored is None:
            return ""
        try:
            facts, pack_id, digest = stored_read(stored)
            pack = self._pack(pack_id)
            if pack is None or pack != digest or pack != (recorded_pack or pack):
                return "pack"
            return "" if row_digest(facts, pack) == recorded_row else "plan"
        except (ValueError, TypeError, RecursionError):
            return "plan"

    def _pack(self, pack_id: int | None) -> str | None:
        if pack_id not in self._packs:
            with connection.cursor() as cursor:
                cursor.execute("SELECT id, content::text FROM routing_packversion")
                self._packs = {id_: _digest_of(content) for id_, content in cursor}
        return self._packs.setdefault(pack_id, None)


def _digest_of(content: str) -> str | None:
    """The digest of a pack's content; None for JSON that no pack can have."""
    try:
        return pack_digest(json.loads(content))
    except (ValueError, RecursionError):
        return None


ENTRIES = ChainedTable(
    name="entry",
    plural="entries",
    heads=AuditChain,
    rows=AuditEntry,
    columns=f"{COLUMNS}, e.signature, {_MISFIT}, {STORED}, {_RECORDED}",
    hash_of=_hash_of,
    check=_EntryCheck,
    missing_entries=MISSING_ENTRIES,
)
