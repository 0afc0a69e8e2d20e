"""An entry in the documented form. Source: spec/4, 6; related-facts, "Audit log v1"."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel

from routing.contracts import GovernorDecision, QueryPlan, SynthesizerOutput
from routing.models import AuditChain, AuditEntry
from telemetry.contracts import ChainCheck, timestamp_jsonl
from telemetry.services import chain_check


def entry_document(entry: AuditEntry) -> dict[str, Any]:
    """The documented keys in the documented order, as JSON values; then the other stored fields.

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
    ordered = {name: in_order(value[name], fields[name].annotation) for name in fields if name in value}
    return {**ordered, **{name: item for name, item in value.items() if name not in ordered}}


@dataclass(frozen=True)
class Standing:
    """The outcome of a check of an entry's chain. `verified_at` is the last good check, this one of a whole chain.

    `verified_length` is how many entries the chain had then; None and 0 when none was good.
    """

    check: ChainCheck
    entry_holds: bool
    verified_at: datetime | None
    verified_length: int

    @property
    def whole(self) -> bool:
        return self.check.fault is None


def entry_standing(entry: AuditEntry) -> Standing:
    """Check the chain of an entry and store the outcome. An entry before the first fault still holds."""
    check = chain_check(key=entry.chain_id)
    head = AuditChain.objects.filter(key=entry.chain_id).first()
    return Standing(
        check=check,
        entry_holds=check.fault is None or entry.seq < check.fault.seq,
        verified_at=head.verified_at if head else None,
        verified_length=head.verified_length if head else 0,
    )
