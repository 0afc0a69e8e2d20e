"""What is written of a routed question: the row of its plan, and an event."""

import traceback
import uuid
from typing import Any

from django.utils import timezone

from routing.contracts import SCHEMA_VERSIONS
from routing.models import AuditEntry, QueryPlan, Question
from routing.router import Routed, Router
from routing.services.auditing import entry_write
from routing.services.packs import pack_store
from telemetry.contracts import EventDraft, EventLevel, EventName
from telemetry.services import events_append


def plan_write(
    *,
    question: Question,
    routed: Routed,
    router: Router,
    correlation_id: uuid.UUID,
    corrects: QueryPlan | None = None,
) -> QueryPlan:
    """The row of a plan, in the caller's transaction, which must also write its audit entry."""
    plan = routed.plan.model_dump(mode="json")
    return QueryPlan.objects.create(
        question=question,
        corrects=corrects,
        correlation_id=correlation_id,
        plan=plan,
        schema_version=SCHEMA_VERSIONS["query_plan"],
        mode=plan["mode"],
        domain_hint=plan["domain_hint"],
        domains=plan["domains_selected"],
        confidence=plan["confidence"],
        probability=routed.decided.probability,
        flags=plan["flags"],
        phase=routed.phase.number,
        pack=pack_store(routed.pack),
        router_version=router.version,
        model_used=routed.model_used,
        reading=routed.reading.model_dump(mode="json"),
        created_at=timezone.now(),
    )


def fault_of(error: BaseException) -> list[str]:
    """What went wrong and where, for the log: its text is left out, since it may quote what somebody asked."""
    frames = traceback.extract_tb(error.__traceback__)
    return [type(error).__name__, *(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)]


def failure_write(*, question: Question, correlation_id: uuid.UUID, said: str) -> None:
    """The audit entry and the event of a request that failed, in the caller's transaction; `said` quotes no words."""
    entry_write(
        question=question,
        status=AuditEntry.Status.ERROR,
        versions={},
        error_message=said,
        correlation_id=correlation_id,
        now=timezone.now(),
    )
    data = {"question": str(question.pk), "reason": said}
    event_tell(question, EventName.QUERY_FAILED, level=EventLevel.ERROR, data=data)


def versions_of(routed: Routed, router: Router) -> dict[str, Any]:
    """Whatever made a plan, by name, for its audit entry. There is no strategic mode before there is a decision."""
    return {
        "schema": SCHEMA_VERSIONS["query_plan"],
        "router": router.version,
        "pack": routed.pack.reference,
        "pack_digest": routed.pack.digest,
        "phase": routed.phase.number,
        "strategic_mode": None,
    }


def event_tell(
    of: QueryPlan | Question,
    event: EventName,
    *,
    level: EventLevel = EventLevel.INFO,
    data: dict[str, Any] | None = None,
) -> None:
    """Append an event to the chain of the question; none of its words are in it."""
    question = of if isinstance(of, Question) else of.question
    if isinstance(of, QueryPlan):
        data = {
            "plan": str(of.pk),
            "domains": list(of.domains),
            "mode": of.mode,
            "confidence": of.confidence,
            "flags": list(of.flags),
            "hint": of.domain_hint,
            "language": question.language,
            "pack": str(of.pack),
            "phase": of.phase,
            **(data or {}),
        }
    draft = EventDraft(event=event, level=level, data=data or {})
    events_append(chain=f"query:{question.pk}", course="", mode="", drafts=[draft])
