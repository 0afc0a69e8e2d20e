"""Whoever changes a row behind its entry is found, as is whatever has no entry at all."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.db.models import Model

from accounts.models import User
from accounts.services import guest_absorb, guest_create
from routing.audit.rows import pack_digest
from routing.models import AuditEntry, Question, SynthesizerOutput
from routing.packs.pack import pack_shipped
from routing.services import plan_correct, question_ask, questions_erase
from telemetry.contracts import FaultKind
from telemetry.models import Event
from tests.hands import tampering
from tests.routing.audit_hands import faults, tamper, verified
from tests.routing.rows import decision_row, entry_row, failure_row, plan_row, question_row

pytestmark = pytest.mark.django_db

QUESTION = "Have prices of flats near the seafront gone up over the last year?"
ONLY_ROW = {
    "probability": "probability = probability / 2",
    "reading": 'reading = reading || \'{"label": "another"}\'',
    "a reading of 5,000 digits": "reading = ('{\"label\": 1' || repeat('0', 5000) || '}')::jsonb",
    "a deep reading": "reading = (repeat('[', 3000) || repeat(']', 3000))::jsonb",
    "model": "model_used = 'another'",
    "phase": "phase = 5",
    "router": "router_version = 'another'",
    "schema": "schema_version = 'another'",
    "time": "created_at = created_at + interval '1 microsecond'",
    "infinity": "created_at = 'infinity'",
    "corrects": "corrects_id = (SELECT id FROM routing_queryplan WHERE question_id <> {question} LIMIT 1)",
    "question": "question_id = (SELECT id FROM routing_question WHERE id <> {question} LIMIT 1)",
    "correlation": "correlation_id = gen_random_uuid()",
    "pack": "pack_id = (SELECT max(id) FROM routing_packversion)",
}
IN_PLAN = {
    "confidence": "confidence = CASE confidence WHEN 'low' THEN 'high' ELSE 'low' END",
    "domains": "domains = '{lab}'",
    "mode": "mode = CASE mode WHEN 'deep' THEN 'fast' ELSE 'deep' END",
    "flags": "flags = '{another}'",
    "hint": "domain_hint = 'lab'",
}
DECISION = {
    "recommendation": "recommendation = 'discard'",
    "confidence": "confidence = CASE confidence WHEN 'low' THEN 'high' ELSE 'low' END",
    "flags": "flags = '{}'",
    "strategic mode": "strategic_mode_version = 'another'",
}


def undone(work: Callable[[], None]) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SAVEPOINT tampering")
        work()
        cursor.execute("ROLLBACK TO tampering")


def found() -> list[tuple[str, FaultKind, int, str]]:
    return [(chain, fault.kind, fault.seq, fault.detail) for chain, fault in faults().items()]


def misfit(what: str) -> tuple[FaultKind, int, str]:
    return FaultKind.ALTERED, 1, f"the {what} that it names is not the one that it has on record"


def test_a_column_of_a_plan_or_a_decision_that_changed_behind_its_entry_is_found(learner: User, stranger: User) -> None:
    failure_row(stranger)
    entry = entry_row(learner, answered=True)
    entry_row(stranger)
    tamper(
        "INSERT INTO routing_packversion (name, version, digest, content, created_at)"
        " VALUES ('test', '2', %s, '{}', now())",
        pack_digest({}),
    )
    assert faults() == {}
    tables = {
        ("routing_queryplan", f"id = '{entry.query_plan_id}'", "plan"): {**ONLY_ROW, **IN_PLAN},
        ("routing_governordecision", f"id = '{entry.governor_decision_id}'", "decision"): DECISION,
    }
    wrong: dict[str, object] = {}

    def do(table: str, which: str, what: str, name: str, change: str) -> None:
        tamper(f"UPDATE {table} SET {change.replace('{question}', repr(str(entry.question_id)))} WHERE {which}")
        if found() != [(entry.chain_id, *misfit(what))]:
            wrong[f"{what}: {name}"] = found()

    for (table, which, what), changes in tables.items():
        for name, change in changes.items():
            undone(lambda t=table, w=which, h=what, n=name, c=change: do(t, w, h, n, c))  # type: ignore[misc]
    assert wrong == {}


def test_a_pack_that_changed_behind_the_entries_is_found(learner: User) -> None:
    question_ask(user=learner, message=QUESTION)
    chain = AuditEntry.objects.get().chain_id
    digest = pack_digest({"name": "another"})
    changes = {
        "content": 'content = content || \'{"name": "another"}\'',
        "digest": f"digest = '{digest}'",
        "both": f"content = '{{\"name\": \"another\"}}', digest = '{digest}'",
        "5,000 digits": "content = ('{\"name\": 1' || repeat('0', 5000) || '}')::jsonb",
        "deep": "content = (repeat('[', 3000) || repeat(']', 3000))::jsonb",
    }
    wrong: dict[str, object] = {}

    def do(name: str) -> None:
        tamper(f"UPDATE routing_packversion SET {changes[name]}")
        if found() != [(chain, *misfit("pack"))]:
            wrong[name] = found()

    for name in changes:
        undone(lambda name=name: do(name))  # type: ignore[misc]
    assert wrong == {}
    tamper("UPDATE routing_packversion SET version = '0.0.0'")
    assert found() == [(chain, *misfit("plan"))]


def test_what_the_consult_writes_is_what_the_check_reads(learner: User) -> None:
    assert pack_digest(pack_shipped().content) == pack_shipped().digest
    for message in (QUESTION, "", "\0\ud83d", "¿Cuánto vale el metro cuadrado en el centro?"):
        plan = question_ask(user=learner, message=message)
        plan_correct(plan_id=plan.pk, domain="growth" if plan.domains[0] != "growth" else "tax", by=learner)
    assert AuditEntry.objects.count() == 8
    assert faults() == {}


def test_a_question_that_was_given_to_somebody_else_by_hand_is_found(learner: User, stranger: User) -> None:
    for entry in (entry_row(learner), failure_row(stranger)):
        other = stranger if entry.subject == str(learner.pk) else learner
        undone(lambda entry=entry, other=other: given(entry, other))  # type: ignore[misc]
    assert faults() == {}


def given(entry: AuditEntry, other: User) -> None:
    tamper("UPDATE routing_question SET user_id = %s WHERE id = %s", other.pk, entry.question_id)
    fault = faults()[entry.chain_id]
    assert (fault.kind, fault.seq, fault.row_id) == (FaultKind.ALTERED, 1, entry.pk)
    assert "belongs to somebody else" in fault.detail


def test_a_guest_who_signs_in_takes_questions_along_and_their_chain_stays_whole(learner: User, stranger: User) -> None:
    guest = guest_create()
    plan = question_ask(user=guest, message=QUESTION)
    failure_row(guest)
    guest_absorb(guest=guest, account=learner)
    assert set(Question.objects.values_list("user_id", flat=True)) == {learner.pk}
    told = Event.objects.filter(event="query.moved").order_by("chain_id")
    assert [event.data for event in told] == [{"from": str(guest.pk), "to": str(learner.pk)}] * 2
    plan_correct(plan_id=plan.pk, domain="growth", by=learner)
    questions_erase(user=learner)
    assert faults() == {}
    tamper("UPDATE routing_question SET user_id = %s WHERE id = %s", stranger.pk, plan.question_id)
    assert {chain: fault.seq for chain, fault in faults().items()} == {
        f"consult:{guest.pk}": 1,
        f"consult:{learner.pk}": 1,
    }


def test_what_a_guest_asked_is_missing_in_the_chain_of_the_guest(learner: User) -> None:
    guest = guest_create()
    plan = question_ask(user=guest, message=QUESTION)
    entry_row(learner)
    guest_absorb(guest=guest, account=learner)
    later = plan_correct(plan_id=plan.pk, domain="growth", by=learner)
    chain, own = f"consult:{guest.pk}", f"consult:{learner.pk}"
    tamper("DELETE FROM routing_auditentry WHERE chain_id = %s", chain)
    tamper("DELETE FROM routing_auditchain WHERE key = %s", chain)
    detail = "the entry of query plan {} is missing: it was cut off, or never written"
    assert found() == [(chain, FaultKind.TRUNCATED, 1, detail.format(plan.pk))]
    assert detail.format(plan.pk) in verified("--chain", chain)[0]
    assert verified("--chain", own) == ["2 entries in 1 chains: whole"]
    # A correction that the account made is the account's.
    first = AuditEntry.objects.get(chain=own, seq=1)
    tamper("DELETE FROM routing_auditentry WHERE chain_id = %s AND seq = 2", own)
    tamper("UPDATE routing_auditchain SET length = 1, verified_length = 0, head_hash = %s", first.hash)
    assert (own, FaultKind.TRUNCATED, 2, detail.format(later.pk)) in found()


def test_questions_plans_decisions_and_outputs_put_in_past_the_triggers_are_found(learner: User) -> None:
    plan = entry_row(learner).query_plan
    assert plan
    makers: dict[str, Callable[[], Model | None]] = {
        "question": lambda: question_row(learner),
        "query plan": lambda: plan_row(plan.question),
        "decision": lambda: decision_row(plan),
        "output": lambda: SynthesizerOutput.objects.get(
            decision=entry_row(learner, answered=True, output=None).governor_decision
        ),
    }
    wrong: dict[str, object] = {}

    def do(what: str) -> None:
        with tampering():
            row = makers[what]()
        detail = f"the entry of {what} {row and row.pk} is missing: it was cut off, or never written"
        if [(kind, said) for _, kind, _, said in found()] != [(FaultKind.TRUNCATED, detail)]:
            wrong[what] = found()

    for what in makers:
        undone(lambda what=what: do(what))  # type: ignore[misc]
    assert wrong == {}
    assert faults() == {}


def test_a_failed_question_whose_entry_was_cut_off_with_the_head_is_found(learner: User) -> None:
    first, failed = entry_row(learner), failure_row(learner)
    tamper("DELETE FROM routing_auditentry WHERE seq = 2")
    tamper("UPDATE routing_auditchain SET length = 1, head_hash = %s", first.hash)
    detail = f"the entry of question {failed.question_id} is missing: it was cut off, or never written"
    assert found() == [(first.chain_id, FaultKind.TRUNCATED, 2, detail)]
