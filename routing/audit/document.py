"""An entry in the documented form. Source: spec/4, 6; related-facts, "Audit log v1"."""

from typing import Any

from pydantic import BaseModel

from routing.contracts import GovernorDecision, QueryPlan, SynthesizerOutput
from routing.models import AuditEntry
from telemetry.contracts import timestamp_jsonl


def entry_document(entry: AuditEntry) -> dict[str, Any]:
    """The documented keys in the documented order, as JSON values; then what else is on record.

    `message` is the question's words as they can be shown, null once they are erased; `message_digest` stays. Reads the
    entry's question: select it with the entries.
    """
    return {
        "query_plan_id": _id(entry.query_plan_id),
        "timestamp": timestamp_jsonl(entry.timestamp),
        "user_id": entry.subject,
        "message": entry.question.text,
        "query_plan": in_order(entry.plan_snapshot, QueryPlan),
        "status": entry.status,
        "entry_id": str(entry.id),
        "correlation_id": str(entry.correlation_id),
        "message_digest": entry.message_digest,
        "governor_decision_id": _id(entry.governor_decision_id),
        "governor_decision": in_order(entry.decision_snapshot, GovernorDecision),
        "synthesizer_output_id": _id(entry.synthesizer_output_id),
        "synthesizer_output": in_order(entry.output_snapshot, SynthesizerOutput),
        "versions": entry.versions,
        "error_message": entry.error_message,
        "warnings": entry.warnings,
        "model_used": entry.model_used,
        "stored_at": timestamp_jsonl(entry.stored_at),
        "retention_days": entry.retention_days,
        "chain": entry.chain_id,
        "seq": entry.seq,
        "previous_hash": entry.previous_hash,
        "checksum": entry.hash,
        "key_id": entry.key_id,
        "signature": entry.signature,
    }


def _id(value: Any) -> str | None:
    return None if value is None else str(value)


def in_order(value: Any, contract: Any) -> Any:
    """A stored snapshot with its keys as the contract has them: the database keeps none of their order."""
    if not isinstance(value, dict) or not (isinstance(contract, type) and issubclass(contract, BaseModel)):
        return value
    fields = contract.model_fields
    known = {name: in_order(value[name], fields[name].annotation) for name in fields if name in value}
    return {**known, **{name: item for name, item in value.items() if name not in known}}
