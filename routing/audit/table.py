"""Audit entries as a chained table: what `audit_verify` checks of them beside the chain itself."""

from routing.audit.canonical import COLUMNS, checksum, content_stored
from routing.audit.keys import ring
from routing.models import AuditChain, AuditEntry
from telemetry.chained import ChainedRow, ChainedTable
from telemetry.contracts import FaultKind

# Which of the rows that an entry names is not there, or not what the entry says; NULL when all are. People read plans
# and questions, not entries: a plan changed behind its entry must be found too.
_MISFIT = """
CASE
    WHEN (SELECT q.digest = e.message_digest
              AND (q.salt IS NULL OR encode(sha256(q.salt || q.message), 'hex') = e.message_digest)
          FROM routing_question AS q WHERE q.id = e.question_id) IS NOT TRUE THEN 'question'
    WHEN e.query_plan_id IS NOT NULL AND (
        SELECT p.plan = e.plan_snapshot AND p.question_id = e.question_id
        FROM routing_queryplan AS p WHERE p.id = e.query_plan_id) IS NOT TRUE THEN 'plan'
    WHEN e.governor_decision_id IS NOT NULL AND (
        SELECT d.decision = e.decision_snapshot AND d.query_plan_id = e.query_plan_id
        FROM routing_governordecision AS d WHERE d.id = e.governor_decision_id) IS NOT TRUE THEN 'decision'
    WHEN e.synthesizer_output_id IS NOT NULL AND (
        SELECT o.output = e.output_snapshot AND o.decision_id = e.governor_decision_id
        FROM routing_synthesizeroutput AS o WHERE o.id = e.synthesizer_output_id) IS NOT TRUE THEN 'output'
END
"""
# A plan is committed with an entry or not at all. So one without shows that the end of a chain was cut off with its
# head, or all of it was.
_UNTOLD = """
SELECT 'consult:' || q.user_id, 'query plan ' || p.id
FROM routing_queryplan AS p JOIN routing_question AS q ON q.id = p.question_id
WHERE NOT EXISTS (SELECT FROM routing_auditentry AS e WHERE e.query_plan_id = p.id)
  AND (%(only)s::text[] IS NULL OR q.user_id = ANY(ARRAY(
      SELECT substr(key, length('consult:') + 1)::bigint FROM unnest(%(only)s::text[]) AS wanted (key)
      WHERE key ~ '^consult:[0-9]{1,18}$')))
"""


def _hash_of(row: ChainedRow) -> str:
    return checksum(content_stored(row))


def _fault_of(row: ChainedRow) -> tuple[FaultKind, str] | None:
    key_id, signature, misfit = row.content[-3:]  # the last of `COLUMNS`, and what stands behind them
    key = ring().keys.get(key_id)
    if key is None:
        return FaultKind.UNKNOWN_KEY, f"it is signed with the key {key_id}, which is not in the ring"
    if not key.signed(row.hash, signature):
        return FaultKind.FORGED, f"its signature is not one of the key {key_id}, which it names"
    if misfit:
        return FaultKind.ALTERED, f"the {misfit} that it names is not the one that it has on record"
    return None


ENTRIES = ChainedTable(
    name="entry",
    plural="entries",
    heads=AuditChain,
    rows=AuditEntry,
    columns=f"{COLUMNS}, e.signature, {_MISFIT}",
    hash_of=_hash_of,
    fault_of=_fault_of,
    untold=_UNTOLD,
)
