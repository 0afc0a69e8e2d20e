"""The rows of a routed question: its plan, the pack it was made with, and an event."""

import traceback
import uuid
from contextlib import suppress
from typing import Any

from django.utils import timezone

from core.errors import RowThere
from core.services import row_insert
from routing.contracts import SCHEMA_VERSIONS
from routing.errors import PackRefused
from routing.models import AuditEntry, PackVersion, QueryPlan, Question
from routing.packs.pack import Pack
from routing.router import Routed, Router
from routing.services.auditing import entry_write
from telemetry.contracts import EventDraft, EventLevel, EventName
from telemetry.services import events_append


def pack_store(pack: Pack) -> PackVersion:
    """The row of a pack, created where there is none; two at once get the same.

    Raises `PackRefused` when another pack is stored under its name and version.
    """
    same = PackVersion.objects.filter(name=pack.name, version=pack.version)
    row = same.first()
    if row is None:
        row = PackVersion(
            name=pack.name, version=pack.version, digest=pack.digest, content=pack.content, created_at=timezone.now()
        )
        with suppress(RowThere):
            row_insert(row)
        row = same.get()
    if row.digest != pack.digest:
        raise PackRefused(f"{pack.reference}: changed without a new version")
    return row


def plan_write(
    *,
    question: Question,
    routed: Routed,
    router: Router,
    correlation_id: uuid.UUID,
    corrects: QueryPlan | None = None,
) -> QueryPlan:
    """Insert the row of a plan, in the caller's transaction, which must also write its audit entry."""
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
    """Type and place of an error, for the log; without its text, which may quote the question."""
    frames = traceback.extract_tb(error.__traceback__)
    return [type(error).__name__, *(f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames)]


def failure_write(*, question: Question, correlation_id: uuid.UUID, reason: str) -> None:
    """Write audit entry and event of a failed request, in the caller's transaction; `reason` quotes no words."""
    entry_write(
        question=question,
        status=AuditEntry.Status.ERROR,
        versions={},
        error_message=reason,
        correlation_id=correlation_id,
        now=timezone.now(),
    )
    data = {"question": str(question.pk), "reason": reason}
    event_append(question, EventName.QUERY_FAILED, level=EventLevel.ERROR, data=data)


def versions_of(routed: Routed, router: Router) -> dict[str, Any]:
    """The versions of all that made a plan, for its audit entry; without a strategic mode, which decisions have."""
    return {
        "schema": SCHEMA_VERSIONS["query_plan"],
        "router": router.version,
        "pack": routed.pack.reference,
        "pack_digest": routed.pack.digest,
        "phase": routed.phase.number,
        "strategic_mode": None,
    }


def event_append(
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
