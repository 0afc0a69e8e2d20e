"""The database by itself: rows say what the rows they come from say, and nothing immutable changes."""

import uuid
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import transaction
from django.db.models import JSONField, Value
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from routing import contracts
from routing.models import (
    AuditEntry,
    GovernorDecision,
    LabelledExample,
    PackVersion,
    QueryPlan,
    Question,
    SynthesizerOutput,
)
from tests.routing.rows_made import (
    Insert,
    commits,
    decision_row,
    entry_row,
    executed,
    kept,
    output_row,
    pack_row,
    plan_row,
    question_row,
    refuses,
    told,
    undone,
    without,
)
from tests.routing.strategies import (
    decision_values,
    decisions,
    output_values,
    outputs,
    plan_values,
    plans,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def question(learner: User) -> Iterator[Question]:
    with undone():
        yield question_row(learner)


@pytest.fixture
def insert(question: Question) -> Insert:
    """Inserts a plan on the question: `plan_row`."""
    return partial(plan_row, question, pack_row())


def test_section_6_a_plan_in_jsonb_comes_back_identical(insert: Insert, question: Question) -> None:
    @settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(st.data())
    def round_trip(data: st.DataObject) -> None:
        plan = data.draw(plans())
        decision = data.draw(decisions(plan))
        output = data.draw(outputs(plan, decision))
        with transaction.atomic():
            row = insert(plan.model_dump(mode="json"))
            decided = decision_row(
                row,
                decision.model_dump(mode="json"),
                recommendation=decision.recommendation,
                confidence=decision.confidence,
                flags=list(decision.flags),
                strategic_mode_version=decision.strategic_mode_version,
            )
            shown = output_row(decided, output.model_dump(mode="json"))
            entry = entry_row(row, question, **told(decided, shown))
            commits()
            row.refresh_from_db()
            for written in (row.plan, AuditEntry.objects.get(pk=entry.pk).plan_snapshot):
                assert contracts.QueryPlan.model_validate(written) == plan
                assert contracts.QueryPlan.model_validate(written).model_dump_json() == plan.model_dump_json()
            decided.refresh_from_db()
            assert contracts.GovernorDecision.model_validate(decided.decision) == decision
            shown.refresh_from_db()
            assert contracts.SynthesizerOutput.model_validate(shown.output) == output
            transaction.set_rollback(True)

    round_trip()


def test_section_6_every_plan_has_an_audit_entry_when_the_transaction_ends(insert: Insert, question: Question) -> None:
    row = insert()
    assert refuses(commits)
    entry_row(row, question)
    commits()


def test_related_facts_what_was_asked_decided_and_said_has_an_audit_entry_when_the_transaction_ends(
    question: Question, learner: User
) -> None:
    assert refuses(commits)
    row = plan_row(question, pack_row())
    entry_row(row, question)
    commits()
    decision = decision_row(row)
    assert refuses(commits)
    entry_row(row, question, **told(decision))
    commits()
    output = output_row(decision)
    assert refuses(commits)
    entry_row(row, question, **told(decision, output))
    commits()
    question_row(learner)
    assert refuses(commits)


def test_section_6_a_snapshot_is_the_plan_itself(insert: Insert, question: Question) -> None:
    row = insert()
    nobody = question_row(User.objects.create_user("eva"))
    broken: dict[str, Callable[[], object]] = {
        "no plan": lambda: entry_row(None, question),
        "no snapshot": lambda: entry_row(row, question, plan_snapshot=None),
        "no row": lambda: entry_row(None, question, plan_snapshot=row.plan, status="partial"),
        "another plan": lambda: entry_row(row, question, plan_snapshot=plan_values(confidence="low")),
        "nothing in it": lambda: entry_row(row, question, plan_snapshot={}),
        "null in it": lambda: entry_row(row, question, plan_snapshot=Value(None, JSONField())),
        "the question of somebody else": lambda: entry_row(row, nobody),
        "another message": lambda: entry_row(row, question, message_digest="1" * 64),
        "a decision without its snapshot": lambda: entry_row(row, question, governor_decision=decision_row(row)),
        "a decision that has no row": lambda: entry_row(row, question, decision_snapshot=decision_values()),
        "an output that has no row": lambda: entry_row(row, question, output_snapshot=output_values()),
        "a success with an error": lambda: entry_row(row, question, error_message="x"),
        "an error that says nothing": lambda: entry_row(row, question, status="error"),
        "unknown": lambda: entry_row(row, question, status="fine"),
        "number nought": lambda: entry_row(row, question, seq=0),
        "no hash": lambda: entry_row(row, question, hash="x" * 64),
        "no signature": lambda: entry_row(row, question, signature=""),
    }
    assert kept(broken) == []
    assert not refuses(lambda: entry_row(None, question, status="error", error_message="OperationalError"))


def test_related_facts_a_decision_fits_its_plan_also_in_the_database(insert: Insert) -> None:
    row = insert()
    changes: dict[str, dict[str, Any]] = {
        "other domains": {"domains_used": ["transition"]},
        "other order": {"domains_used": ["market", "transition"]},
        "domains are null": {"domains_used": None},
        "recommendation is null": {"recommendation": None},
        "another recommendation": {"recommendation": "execute"},
        "another confidence": {"confidence": "low"},
        "other flags": {"flags": []},
        "another mode of strategy": {"strategic_mode_version": "strategic-mode/2"},
    }
    said = {name: {**decision_values(), **change} for name, change in changes.items()}
    said |= {f"no {name}": without(decision_values(), name) for name in decision_values()}
    cases = {name: partial(decision_row, row, decision) for name, decision in said.items()}
    assert kept(cases) == []
    assert not refuses(lambda: decision_row(row))


def test_related_facts_an_output_says_what_its_decision_says_also_in_the_database(insert: Insert) -> None:
    decision = decision_row(insert())
    meta, view = output_values()["meta"], output_values()["query_plan"]
    said = {
        "another recommendation": output_values(meta={**meta, "recommendation": "execute"}),
        "no recommendation": output_values(meta=without(meta, "recommendation")),
        "other risks": output_values(meta={**meta, "risk_summary": {**meta["risk_summary"], "labor": "low"}}),
        "no risks": output_values(meta=without(meta, "risk_summary")),
        "other domains": output_values(query_plan={**view, "domains_selected": ["tax"]}),
        "nothing": {},
        **{f"no {name}": without(output_values(), name) for name in output_values()},
    }
    assert kept({name: partial(output_row, decision, output) for name, output in said.items()}) == []
    assert not refuses(lambda: output_row(decision))


def test_a_correction_is_of_another_plan_of_the_same_question(insert: Insert, learner: User) -> None:
    first = insert()
    second = insert(corrects=first)
    own = uuid.uuid4()
    broken: dict[str, Callable[[], object]] = {
        "twice": lambda: insert(corrects=first),
        "itself": lambda: insert(id=own, corrects_id=own),
        "of another question": lambda: insert(corrects=second, question=question_row(learner)),
    }
    assert kept(broken) == []


def test_a_question_is_erased_whole_and_otherwise_stays(question: Question) -> None:
    mine = Question.objects.filter(pk=question.pk)
    now = timezone.now()
    halves: dict[str, dict[str, Any]] = {
        "message": {"message": None},
        "salt": {"salt": None},
        "time": {"erased_at": now},
        "salt stays": {"message": None, "erased_at": now},
        "message stays": {"salt": None, "erased_at": now},
        "no time": {"message": None, "salt": None},
        "other words": {"message": b"adios"},
        "another hash": {"digest": "1" * 64},
        "another time": {"created_at": now},
    }
    assert kept({name: partial(mine.update, **change) for name, change in halves.items()}) == []
    mine.update(message=None, salt=None, erased_at=now)
    assert refuses(lambda: mine.update(message=b"x", salt=b"x", erased_at=None))


def test_nothing_immutable_can_be_changed_or_deleted(insert: Insert, question: Question, learner: User) -> None:
    row = insert()
    decision = decision_row(row)
    entry_row(row, question, **told(decision, output_row(decision)))
    commits()
    cases: dict[str, Callable[[], object]] = {}
    for model, column in (
        (PackVersion, "version"),
        (QueryPlan, "router_version"),
        (GovernorDecision, "schema_version"),
        (SynthesizerOutput, "schema_version"),
        (AuditEntry, "model_used"),
    ):
        table = model._meta.db_table
        for statement in (
            f"UPDATE {table} SET {column} = 'x'",
            f"UPDATE {table} SET {column} = 'x' WHERE false",
            f"DELETE FROM {table}",
            f"TRUNCATE {table} CASCADE",
        ):
            cases[statement] = partial(executed, statement)
    for statement in (
        "DELETE FROM routing_auditchain",
        "TRUNCATE routing_question CASCADE",
        "TRUNCATE accounts_user CASCADE",
        "DELETE FROM routing_question",
        "UPDATE routing_auditchain SET length = -1",
    ):
        cases[statement] = partial(executed, statement)
    assert kept(cases) == []


def test_a_labelled_example_is_reviewed_with_its_time_and_of_known_domains(insert: Insert, question: Question) -> None:
    row = insert()

    def example(**columns: Any) -> Callable[[], object]:
        values = {"question": question, "plan": row, "was": "tax", "domain": "brand", "created_at": timezone.now()}
        return lambda: LabelledExample.objects.create(**{**values, **columns})

    broken = {
        "unknown": example(domain="taxes"),
        "was unknown": example(was="x"),
        "accepted without time": example(state="accepted"),
        "waits with a time": example(reviewed_at=timezone.now()),
        "unknown state": example(state="x", reviewed_at=timezone.now()),
    }
    assert kept(broken) == []
    assert not refuses(example())
