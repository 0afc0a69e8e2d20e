"""What is on record, and what can be."""

import json
import uuid
from datetime import UTC, datetime
from typing import Any

import hypothesis
import pytest
from django.apps import apps
from django.db import IntegrityError, connection, transaction
from pytest_django import Settings

from accounts.models import User
from routing import contracts
from routing.audit.document import entry_standing
from routing.models import AuditChain, AuditEntry, LabelledExample, Question
from routing.services.auditing import entry_document, entry_write, message_digest
from telemetry.errors import ChainUnknown, TransactionRequired
from telemetry.services import chain_check
from tests.hands import assert_never, executing, tampering
from tests.routing.audit_hands import faults, tamper
from tests.routing.rows import MESSAGE, NOON, SALT, VERSIONS, entry_row, failure_row, plan_row, question_row
from tests.routing.strategies import plan_made, plans

pytestmark = pytest.mark.django_db


def test_section_6_the_documented_form(learner: User) -> None:
    entry = entry_row(learner, answered=True)
    stored = AuditEntry.objects.get(pk=entry.pk)
    document = entry_document(stored)
    assert list(document)[:6] == ["query_plan_id", "timestamp", "user_id", "message", "query_plan", "status"]
    assert document["query_plan_id"] == str(entry.query_plan_id)
    assert document["timestamp"] == "2026-02-12T18:14:00Z"
    assert (document["user_id"], document["message"], document["status"]) == (str(learner.pk), MESSAGE, "success")
    assert list(document["query_plan"]) == list(contracts.QueryPlan.model_fields)
    assert list(document["query_plan"]["lab_policy"]) == ["allow_lab", "status", "rationale"]
    assert list(document["governor_decision"]) == list(contracts.GovernorDecision.model_fields)
    assert document["synthesizer_output"]["trace"]["output_ai"] is True
    assert document == entry_document(entry)  # what was written is what is read back


def test_section_6_a_plan_comes_back_identical(learner: User) -> None:
    entry = AuditEntry.objects.get(pk=entry_row(learner).pk)
    plan = contracts.QueryPlan.model_validate(entry_document(entry)["query_plan"])
    assert plan == plan_made()
    assert plan.model_dump_json() == plan_made().model_dump_json()
    assert entry.plan_snapshot == entry.query_plan.plan  # type: ignore[union-attr]


def test_section_6_any_valid_plan_comes_back_identical_from_its_entry(learner: User) -> None:
    @hypothesis.settings(max_examples=25, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture])
    @hypothesis.given(plans())
    def round_trip(plan: contracts.QueryPlan) -> None:
        question = question_row(learner)
        row = plan_row(question, **dict(plan))
        entry = entry_write(
            question=question, plan=row, status="success", versions=VERSIONS, correlation_id=uuid.uuid4(), now=NOON
        )
        document = json.loads(json.dumps(entry_document(AuditEntry.objects.get(pk=entry.pk))))
        again = contracts.QueryPlan.model_validate(document["query_plan"])
        assert again == plan
        assert again.model_dump_json() == plan.model_dump_json()

    round_trip()
    assert AuditEntry.objects.count() >= 25
    assert faults() == {}


def test_section_6_a_message_that_is_erased_is_null_and_its_hash_stays(learner: User) -> None:
    entry = entry_row(learner)
    Question.objects.filter(pk=entry.question_id).update(message=None, salt=None, erased_at=NOON)
    document = entry_document(AuditEntry.objects.get(pk=entry.pk))
    assert document["message"] is None
    assert document["message_digest"] == message_digest(SALT, MESSAGE.encode())
    assert entry_standing(entry).whole


def test_related_facts_an_entry_says_everything(learner: User, settings: Settings) -> None:
    settings.AUDIT_RETENTION_DAYS = 400
    entry = failure_row(learner, warnings=("slow",), model_used="gpt-4o-mini")
    document = entry_document(entry)
    assert document["query_plan_id"] is document["query_plan"] is document["governor_decision"] is None
    assert (document["status"], document["error_message"]) == ("error", "OperationalError")
    assert (document["warnings"], document["model_used"]) == (["slow"], "gpt-4o-mini")
    assert (document["versions"], document["retention_days"]) == (VERSIONS, 400)
    assert (document["chain"], document["seq"]) == (f"consult:{learner.pk}", 1)
    assert all(document[name] for name in ("entry_id", "correlation_id", "stored_at", "checksum", "signature"))


def test_entries_follow_each_other_in_the_chain_of_the_person(learner: User, stranger: User) -> None:
    entries = [entry_row(learner), entry_row(stranger), failure_row(learner)]
    assert [(entry.chain_id, entry.seq) for entry in entries] == [
        (f"consult:{learner.pk}", 1),
        (f"consult:{stranger.pk}", 1),
        (f"consult:{learner.pk}", 2),
    ]
    assert entries[2].previous_hash == entries[0].hash
    head = AuditChain.objects.get(key=entries[0].chain_id)
    assert (head.length, head.head_hash) == (2, entries[2].hash)
    assert faults() == {}


def test_an_entry_costs_three_statements(learner: User, django_assert_num_queries: Any) -> None:
    failure_row(learner)
    question = question_row(learner)
    values = {"status": "error", "error_message": "x", "versions": VERSIONS, "now": NOON}
    with django_assert_num_queries(3):
        entry_write(question=question, correlation_id=uuid.uuid4(), **values)  # type: ignore[arg-type]


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_nothing_is_written(learner: User) -> None:
    question = Question(user=learner)
    with pytest.raises(TransactionRequired, match="inside the transaction"):
        entry_write(
            question=question, status="error", error_message="x", versions={}, correlation_id=uuid.uuid4(), now=NOON
        )
    assert not AuditChain.objects.exists()


def test_section_6_a_plan_without_an_entry_cannot_be_committed(learner: User) -> None:
    question = failure_row(learner).question
    connection.cursor().execute("SET CONSTRAINTS ALL IMMEDIATE")  # as at the end of a transaction
    with pytest.raises(IntegrityError, match="no audit entry"), transaction.atomic():
        plan_row(question)


def test_what_does_not_belong_together_is_refused(learner: User, stranger: User) -> None:
    question, other = question_row(learner), entry_row(stranger, answered=True)
    plan = plan_row(question)
    refused: dict[str, dict[str, Any]] = {
        "unknown status": {"status": "fine", "plan": plan},
        "an error says why": {"status": "error", "error_message": " "},
        "an error says why in what can be seen": {"status": "error", "error_message": "\u200b \u2060\u3164\ufe0f"},
        "an error says why in what is kept": {"status": "error", "error_message": " " * 2000 + "why"},
        "a success has no error": {"status": "success", "plan": plan, "error_message": "OperationalError"},
        "nor one that cannot be seen": {"status": "success", "plan": plan, "error_message": "\u200b"},
        "success has a plan": {"status": "success"},
        "of another question": {"status": "success", "plan": other.query_plan},
        "decision on another plan": {"status": "success", "plan": plan, "decision": other.governor_decision},
        "output of no decision": {"status": "success", "plan": plan, "output": other.synthesizer_output},
        "no zone": {"status": "success", "plan": plan, "now": datetime(2026, 1, 1)},  # noqa: DTZ001
        "not a number": {"status": "success", "plan": plan, "versions": {"phase": float("nan")}},
        "no text": {"status": "success", "plan": plan, "versions": {"phase\0": 2}},
        "no JSON": {"status": "success", "plan": plan, "versions": {"phase": {2}}},
    }
    written = []
    common: dict[str, Any] = {"versions": VERSIONS, "correlation_id": uuid.uuid4(), "now": NOON}
    for name, values in refused.items():
        try:
            entry_write(question=question, **{**common, **values})
            written.append(name)
        except ValueError:
            assert not connection.needs_rollback
    assert written == []
    assert not AuditEntry.objects.filter(question=question).exists()
    entry_write(question=question, plan=plan, status="success", **common)


def test_hostile_values_are_normalised_and_the_entry_is_written_all_the_same(learner: User) -> None:
    entry = entry_row(
        learner,
        status="partial",
        message='\0 half \ud83d <script> ‮ {"a": 1}',
        versions={"floats": [1e16, 1e23, -0.0, 0.1, 5e-324], "tuple": (1, 2), "huge": 2**900, "é": {"": None}},
        error_message="\0" + "é\ud83d" * 5000,
        warnings=["\0", "\ud83d", "x" * 9000] + ["more"] * 1000,
        model_used="m\0" * 500,
    )
    stored = AuditEntry.objects.get(pk=entry.pk)
    assert faults() == {}
    assert entry_document(stored) == entry_document(entry)
    assert stored.versions["floats"] == [10**16, 10**23, 0, 0.1, 5e-324]
    assert (len(stored.error_message), len(stored.warnings), len(stored.model_used)) == (2000, 50, 120)
    assert "\0" in (entry_document(stored)["message"] or "")


def test_times_are_cut_to_the_millisecond(learner: User) -> None:
    entry = failure_row(learner, now=datetime(2026, 1, 1, 0, 0, 0, 123_999, tzinfo=UTC))
    assert entry.timestamp.microsecond == 123_000
    assert entry_document(entry)["timestamp"] == "2026-01-01T00:00:00.123Z"
    assert faults() == {}


def test_a_check_of_one_entry_says_how_it_stands_with_the_last_good_check(learner: User) -> None:
    first, second = entry_row(learner), entry_row(learner)
    good = entry_standing(first)
    assert (good.whole, good.entry_holds, good.verified_length) == (True, True, 2)
    assert good.verified_at is not None
    tamper("UPDATE routing_auditentry SET model_used = 'x' WHERE id = %s", second.pk)
    standings = [entry_standing(entry) for entry in (first, second)]
    assert [(standing.whole, standing.entry_holds) for standing in standings] == [(False, True), (False, False)]
    assert {(standing.verified_at, standing.verified_length) for standing in standings} == {(good.verified_at, 2)}
    assert AuditChain.objects.get().broken_at == 2
    with pytest.raises(ChainUnknown, match="consult:0"):
        chain_check(key="consult:0")


def test_every_table_of_the_consult_that_tells_what_happened_is_immutable(learner: User) -> None:
    entry_row(learner, answered=True)
    changing = {Question, LabelledExample, AuditChain}
    models = [model for model in apps.get_app_config("routing").get_models() if model not in changing]
    assert len(models) >= 5
    connection.check_constraints()  # PostgreSQL truncates nothing while a check is pending
    for model in models:
        table = model._meta.db_table
        assert model._base_manager.exists()
        for statement in (
            f"UPDATE {table} SET id = id",
            f"UPDATE {table} SET id = id WHERE false",
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
        ):
            assert_never(executing(statement))
    with transaction.atomic(), tampering():  # it was the rights and the triggers that did
        connection.cursor().execute("UPDATE routing_auditentry SET id = id")
