"""Audit entries as a chained table: what `audit_verify` checks of them beside the chain itself."""

import json
from typing import Any

from django.db import connection

from routing.audit.canonical import COLUMNS, checksum, content_stored
from routing.audit.keys import ring
from routing.audit.rows import PACK_DIGEST, ROW, STORED, pack_digest, row_digest, stored_read
from routing.audit.untold import UNTOLD
from routing.models import AuditChain, AuditEntry
from telemetry.chained import ChainedRow, ChainedTable
from telemetry.contracts import FaultKind

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
_SAID = ", ".join(f"e.versions ->> '{name}'" for name in (ROW, PACK_DIGEST))
_CHANGED_HANDS = "its question belongs to somebody else than who asked, and nothing tells of how it changed hands"
_Fault = tuple[FaultKind, str] | None


def _hash_of(row: ChainedRow) -> str:
    return checksum(content_stored(row))


class _EntryCheck:
    """What is wrong with entries whose hash is right; one for each walk.

    It keeps the digests of the packs, which it reads in one statement, and how new the keys of the chain have become.
    """

    def __init__(self) -> None:
        self._keys = ring().keys
        self._ages = {key_id: age for age, key_id in enumerate(self._keys)}
        self._packs: dict[int | None, str | None] = {}
        self._chain, self._newest = "", ""

    def __call__(self, row: ChainedRow) -> _Fault:
        # The last of `COLUMNS`, and what stands behind them.
        key_id, signature, misfit, stored, *said = row.content[-6:]
        if fault := self._key_fault(row, key_id, signature):
            return fault
        if misfit == "owner":
            return FaultKind.ALTERED, _CHANGED_HANDS
        if misfit := misfit or self._misfit(stored, *said):
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

    def _misfit(self, stored: str | None, said_row: str | None, said_pack: str | None) -> str:
        """`pack` or `plan` where it is not the one on record; empty where it is, and for an entry without a plan."""
        if stored is None:
            return ""
        try:
            facts, pack_id, digest = stored_read(stored)
            pack = self._pack(pack_id)
            if pack is None or pack != digest or pack != (said_pack or pack):
                return "pack"
            return "" if row_digest(facts, pack) == said_row else "plan"
        except (ValueError, TypeError, RecursionError):
            return "plan"

    def _pack(self, pack_id: int | None) -> str | None:
        if pack_id not in self._packs:
            with connection.cursor() as cursor:
                cursor.execute("SELECT id, content::text FROM routing_packversion")
                self._packs = {known: _digest_of(content) for known, content in cursor}
        return self._packs.setdefault(pack_id, None)


def _digest_of(content: str) -> str | None:
    """None for what no pack can have."""
    try:
        read: Any = json.loads(content)
        return pack_digest(read)
    except (ValueError, RecursionError):
        return None


ENTRIES = ChainedTable(
    name="entry",
    plural="entries",
    heads=AuditChain,
    rows=AuditEntry,
    columns=f"{COLUMNS}, e.signature, {_MISFIT}, {STORED}, {_SAID}",
    hash_of=_hash_of,
    check=_EntryCheck,
    untold=UNTOLD,
)
