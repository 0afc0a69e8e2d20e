"""The audit trail of the consult: an entry for each answer, in its transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import connection
from django.utils import timezone

from routing.audit.canonical import chain_key, checksum, content_written, message_digest
from routing.audit.document import entry_document
from routing.audit.rows import ROW, row_digest_written
from routing.contracts.values import is_seen
from routing.models import AuditChain, AuditEntry, GovernorDecision, QueryPlan, Question, SynthesizerOutput
from telemetry.chains.keys import ring
from telemetry.chains.signatures import head_extend
from telemetry.contracts.hashing import data_normalise, to_millisecond
from telemetry.errors import TransactionRequired
from telemetry.services import head_lock

__all__ = ("entry_document", "entry_write", "message_digest")

TEXT_AT_MOST = 2000
WARNINGS_AT_MOST = 50
_MODEL_AT_MOST = AuditEntry._meta.get_field("model_used").max_length or 0


def entry_write(
    *,
    question: Question,
    status: str,
    plan: QueryPlan | None = None,
    decision: GovernorDecision | None = None,
    output: SynthesizerOutput | None = None,
    versions: Mapping[str, Any],
    error_message: str = "",
    warnings: Sequence[str] = (),
    model_used: str = "",
    correlation_id: UUID,
    now: datetime,
) -> AuditEntry:
    """Append an entry to the chain of the person who asked, which its first entry creates; snapshots are rows' JSON.

    Holds the chain's lock until the caller's transaction ends, and two at once wait for each other: take no lock
    afterwards whose holder may wait for this one. Three statements when the chain exists. `now` must be aware. The
    columns that only the plan's row has join the versions as a hash. An error message, warnings and a model's name are
    cut, and freed of signs that cannot be stored; they must not quote the question. Raises `TransactionRequired`
    outside a transaction, `ValueError` for an error without a visible message, for a success with one, for another
    status than error without a plan, and for rows that do not belong together, and its `DataRefused` for JSON that
    cannot be stored unchanged.
    """
    if not connection.in_atomic_block:
        raise TransactionRequired("entry_write must be called inside the transaction that makes what the entry tells")
    error_message = _storable(error_message, TEXT_AT_MOST)
    _require_whole(question, status, plan, decision, output, error_message)
    signing = ring().signing
    entry = AuditEntry(
        timestamp=to_millisecond(now),
        correlation_id=correlation_id,
        subject=str(question.user_id),
        question=question,
        message_digest=question.digest,
        query_plan=plan,
        governor_decision=decision,
        synthesizer_output=output,
        plan_snapshot=data_normalise(plan.plan, "plan") if plan else None,
        decision_snapshot=data_normalise(decision.decision, "decision") if decision else None,
        output_snapshot=data_normalise(output.output, "output") if output else None,
        versions=data_normalise({**versions, **({ROW: row_digest_written(plan)} if plan else {})}, "versions"),
        status=str(status),
        error_message=error_message,
        warnings=[_storable(warning, TEXT_AT_MOST) for warning in warnings[:WARNINGS_AT_MOST]],
        model_used=_storable(model_used, _MODEL_AT_MOST),
        stored_at=to_millisecond(timezone.now()),
        retention_days=settings.AUDIT_RETENTION_DAYS,
        key_id=signing.id,
    )
    key = chain_key(question.user_id)
    head = head_lock(AuditChain, key)
    entry.chain_id, entry.seq, entry.previous_hash = key, head.length + 1, head.hash
    entry.hash = checksum(content_written(entry))
    entry.signature = signing.sign(entry.hash)
    entry.save(force_insert=True)
    signature = head_extend(AuditChain._meta.db_table, key, head, entry.seq, entry.hash)
    AuditChain.objects.filter(key=key).update(length=entry.seq, head_hash=entry.hash, signature=signature)
    return entry


def _require_whole(
    question: Question,
    status: str,
    plan: QueryPlan | None,
    decision: GovernorDecision | None,
    output: SynthesizerOutput | None,
    error_message: str,
) -> None:
    if status not in AuditEntry.Status.values:
        raise ValueError(f"status is {status!r}, not one of {', '.join(AuditEntry.Status.values)}")
    if status == AuditEntry.Status.ERROR and not any(map(is_seen, error_message)):
        raise ValueError("an error is on record with its message")
    if status == AuditEntry.Status.SUCCESS and error_message:
        raise ValueError("a success has no error message")
    if status != AuditEntry.Status.ERROR and plan is None:
        raise ValueError(f"without a plan the status is error, not {status}")
    if plan and plan.question_id != question.id:
        raise ValueError(f"query plan {plan.id} is of another question than {question.id}")
    if decision and (plan is None or decision.query_plan_id != plan.id):
        raise ValueError(f"decision {decision.id} is not one on the plan of this entry")
    if output and (decision is None or output.decision_id != decision.id):
        raise ValueError(f"output {output.id} is not one of the decision of this entry")


def _storable(text: str, limit: int) -> str:
    """The text as PostgreSQL can hold it, with replacement characters for what it cannot, cut to `limit` characters."""
    readable = text[:limit].encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    return readable.replace("\0", "\ufffd")[:limit]
