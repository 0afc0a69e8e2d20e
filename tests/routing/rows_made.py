"""Rows of the consult as they are asked for, broken ones as well, and whether the database refuses them."""

import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounts.models import User
from routing.models import (
    AuditChain,
    AuditEntry,
    GovernorDecision,
    PackVersion,
    QueryPlan,
    Question,
    SynthesizerOutput,
)
from tests.routing.strategies import decision_values, output_values, plan_values

SHA = "0" * 64
Insert = Callable[..., QueryPlan]


def question_row(user: User, **columns: Any) -> Question:
    values = {
        "message": b"hola",
        "salt": b"salt",
        "digest": SHA,
        "language": "es",
        "created_at": timezone.now(),
        **columns,
    }
    return Question.objects.create(user=user, **values)


def pack_row() -> PackVersion:
    return PackVersion.objects.create(name="p", version="1", digest=SHA, content={}, created_at=timezone.now())


def plan_row(asked: Question, pack: PackVersion, plan: Any = None, /, **columns: Any) -> QueryPlan:
    """Insert a plan as it is; the columns are by default those that its JSON says."""
    said = plan_values() if plan is None else plan
    known = {**plan_values(), **(said if isinstance(said, dict) else {})}
    values = {
        "question": asked,
        "correlation_id": uuid.uuid4(),
        "plan": said,
        "schema_version": "query-plan/1",
        "mode": known["mode"],
        "domain_hint": known["domain_hint"],
        "domains": known["domains_selected"],
        "confidence": known["confidence"],
        "flags": known["flags"],
        "probability": 0.9,
        "phase": 2,
        "pack": pack,
        "router_version": "1",
        "reading": {},
        "created_at": timezone.now(),
        **columns,
    }
    return QueryPlan.objects.create(**values)


def entry_row(plan: QueryPlan | None, question: Question, **columns: Any) -> AuditEntry:
    chain, _ = AuditChain.objects.get_or_create(key="somebody", defaults={"head_hash": SHA})
    values = {
        "seq": chain.entries.count() + 1,
        "timestamp": timezone.now(),
        "correlation_id": uuid.uuid4(),
        "subject": "somebody",
        "question": question,
        "message_digest": question.digest,
        "query_plan": plan,
        "plan_snapshot": plan and plan.plan,
        "versions": {},
        "status": "success",
        "stored_at": timezone.now(),
        "retention_days": 365,
        "previous_hash": SHA,
        "hash": SHA,
        "key_id": "1",
        "signature": SHA,
        **columns,
    }
    return AuditEntry.objects.create(chain=chain, **values)


def decision_row(plan: QueryPlan, decision: Any = None, **columns: Any) -> GovernorDecision:
    said = decision_values() if decision is None else decision
    values = {
        "query_plan": plan,
        "decision": said,
        "schema_version": "governor-decision/1",
        "recommendation": "postpone",
        "confidence": "medium",
        "flags": ["labor-risk"],
        "strategic_mode_version": "strategic-mode/1",
        "created_at": timezone.now(),
        **columns,
    }
    return GovernorDecision.objects.create(**values)


def output_row(decision: GovernorDecision, output: Any = None) -> SynthesizerOutput:
    said = output_values() if output is None else output
    return SynthesizerOutput.objects.create(
        decision=decision, output=said, schema_version="synthesizer-output/1", created_at=timezone.now()
    )


def told(decision: GovernorDecision, output: SynthesizerOutput | None = None) -> dict[str, Any]:
    """The columns of an entry that tells of these."""
    decided = {"governor_decision": decision, "decision_snapshot": decision.decision}
    return {**decided, **({"synthesizer_output": output, "output_snapshot": output.output} if output else {})}


def commits() -> None:
    """What is looked at when a transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def executed(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
    commits()


def refuses(what: Callable[[], object]) -> bool:
    """Whether the database refuses it. It is undone in any case."""
    try:
        with transaction.atomic():
            what()
            transaction.set_rollback(True)
    except DatabaseError:
        return True
    return False


def kept(cases: Mapping[str, Callable[[], object]]) -> list[str]:
    """The names of the cases that the database did not refuse."""
    return [name for name, case in cases.items() if not refuses(case)]


def without(values: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != name}


@contextmanager
def undone() -> Iterator[None]:
    """What is done in here is undone, and not looked at in the end: each plan would need an audit entry."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
