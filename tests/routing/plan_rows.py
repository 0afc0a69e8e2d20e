"""Rows of questions and their plans, on record as the consult leaves them, at any time and with any reading."""

import hashlib
import uuid
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounts.models import User
from routing.models import AuditChain, AuditEntry, GovernorDecision, PackVersion, QueryPlan, Question
from tests.routing.strategies import decision_values, plan_values

_HASH = hashlib.sha256(b"a row of a test").hexdigest()


def plan_row(
    user: User,
    *domains: str,
    when: datetime | None = None,
    corrects: QueryPlan | None = None,
    reading: dict[str, Any] | None = None,
    status: str = "success",
    erased: bool = False,
    **changes: Any,
) -> QueryPlan:
    """A plan of a question of its own (or of the one that it corrects), with its audit entry."""
    now = when or timezone.now()
    plan = plan_values(domains_selected=list(domains), **changes)
    words = {"erased_at": now} if erased else {"message": b"a secret question", "salt": b"salt"}
    question = (
        corrects.question
        if corrects
        else Question.objects.create(user=user, digest=_HASH, language="en", created_at=now, **words)
    )
    pack, _made = PackVersion.objects.get_or_create(
        name="test", version="1", defaults={"digest": _HASH, "content": {}, "created_at": now}
    )
    row = QueryPlan.objects.create(
        question=question,
        corrects=corrects,
        correlation_id=uuid.uuid4(),
        plan=plan,
        schema_version="query-plan/1",
        mode=plan["mode"],
        domain_hint=plan["domain_hint"],
        domains=plan["domains_selected"],
        confidence=plan["confidence"],
        probability=0.9,
        flags=plan["flags"],
        phase=4,
        pack=pack,
        router_version="test",
        reading=reading or {},
        created_at=now,
    )
    _entry(row, status)
    return row


def _entry(row: QueryPlan, status: str, decision: GovernorDecision | None = None) -> None:
    user = str(row.question.user_id)
    chain, _made = AuditChain.objects.get_or_create(pk=user, defaults={"head_hash": _HASH})
    AuditEntry.objects.create(
        chain=chain,
        seq=AuditEntry.objects.filter(chain=chain).count() + 1,
        timestamp=row.created_at,
        correlation_id=row.correlation_id,
        subject=user,
        question=row.question,
        message_digest=_HASH,
        query_plan=row,
        plan_snapshot=row.plan,
        governor_decision=decision,
        decision_snapshot=decision.decision if decision else None,
        versions={},
        status=status,
        error_message="" if status == "success" else "the answer was cut short",
        stored_at=row.created_at,
        retention_days=1,
        previous_hash=_HASH,
        hash=_HASH,
        key_id="test",
        signature=_HASH,
    )


def decision_row(row: QueryPlan, **changes: Any) -> GovernorDecision:
    """A decision on a plan, with its audit entry; labor is at high risk in it."""
    decision = decision_values(domains_used=row.domains, **changes)
    decided = GovernorDecision.objects.create(
        query_plan=row,
        decision=decision,
        schema_version="governor-decision/1",
        recommendation=decision["recommendation"],
        confidence=decision["confidence"],
        flags=decision["flags"],
        strategic_mode_version=decision["strategic_mode_version"],
        created_at=row.created_at,
    )
    _entry(row, "success", decided)
    return decided
