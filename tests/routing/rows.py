"""Questions, plans and entries on record, as `question_ask` leaves them, without a router."""

import uuid
from datetime import UTC, datetime
from typing import Any

from django.db import transaction

from accounts.models import User
from routing.audit.rows import pack_digest
from routing.contracts import SCHEMA_VERSIONS
from routing.models import AuditEntry, GovernorDecision, PackVersion, QueryPlan, Question, SynthesizerOutput
from routing.services.auditing import entry_write, message_digest
from tests.routing.strategies import decision_values, output_values, plan_made

NOON = datetime(2026, 2, 12, 18, 14, tzinfo=UTC)
SALT = b"0123456789abcdef"
MESSAGE = "¿Es buen momento para solicitar excedencia en CGI?"
VERSIONS: dict[str, Any] = {
    "schema": SCHEMA_VERSIONS["query_plan"],
    "router": "router/1",
    "pack": "test@1.0.0",
    "phase": 2,
    "strategic_mode": None,
}


def question_row(user: User, message: str = MESSAGE, **columns: Any) -> Question:
    words = message.encode("utf-8", "surrogatepass")
    values = {"message": words, "salt": SALT, "digest": message_digest(SALT, words), "language": "es"}
    return Question.objects.create(user=user, created_at=NOON, **{**values, **columns})


def plan_row(question: Question, corrects: QueryPlan | None = None, **fields: Any) -> QueryPlan:
    """The plan of spec/4, 10, with changes of its fields. Its transaction must not end without an entry."""
    plan = plan_made(**fields)
    pack, _made = PackVersion.objects.get_or_create(
        name="test",
        version="1.0.0",
        defaults={"digest": pack_digest({}), "content": {}, "created_at": NOON},
    )
    return QueryPlan.objects.create(
        question=question,
        corrects=corrects,
        correlation_id=uuid.uuid4(),
        plan=plan.model_dump(mode="json"),
        schema_version=SCHEMA_VERSIONS["query_plan"],
        mode=plan.mode,
        domain_hint=plan.domain_hint,
        domains=plan.domains_selected,
        confidence=plan.confidence,
        probability=0.9,
        flags=plan.flags,
        phase=2,
        pack=pack,
        router_version=VERSIONS["router"],
        reading={},
        created_at=NOON,
    )


def decision_row(plan: QueryPlan) -> GovernorDecision:
    decision = decision_values(domains_used=plan.domains)
    return GovernorDecision.objects.create(
        query_plan=plan,
        decision=decision,
        schema_version=SCHEMA_VERSIONS["governor_decision"],
        recommendation=decision["recommendation"],
        confidence=decision["confidence"],
        flags=decision["flags"],
        strategic_mode_version=decision["strategic_mode_version"],
        created_at=NOON,
    )


def output_row(decision: GovernorDecision) -> SynthesizerOutput:
    return SynthesizerOutput.objects.create(
        decision=decision, output=output_values(), schema_version=SCHEMA_VERSIONS["synthesizer_output"], created_at=NOON
    )


@transaction.atomic
def entry_row(user: User, message: str = MESSAGE, *, answered: bool = False, **changes: Any) -> AuditEntry:
    """A question of theirs with its plan, and with `answered` decision and output, on record."""
    question = question_row(user, message)
    plan = plan_row(question)
    decision = decision_row(plan) if answered else None
    rows = {"plan": plan, "decision": decision, "output": output_row(decision) if decision else None}
    values = {"status": "success", "versions": VERSIONS, "correlation_id": plan.correlation_id, "now": NOON}
    return entry_write(question=question, **{**rows, **values, **changes})


@transaction.atomic
def failure_row(user: User, **changes: Any) -> AuditEntry:
    """A question of theirs that nobody could read, on record."""
    values = {"status": "error", "error_message": "OperationalError", "versions": VERSIONS, "now": NOON}
    return entry_write(question=question_row(user), correlation_id=uuid.uuid4(), **{**values, **changes})
