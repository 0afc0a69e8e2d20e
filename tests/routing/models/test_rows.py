"""The database by itself refuses a broken query plan."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.models import JSONField, Value

from accounts.models import User
from routing.models import (
    QueryPlan,
    Question,
)
from tests.routing.rows_made import (
    Insert,
    kept,
    pack_row,
    plan_row,
    question_row,
    refuses,
    undone,
    without,
)
from tests.routing.strategies import (
    APPROVED,
    CONDITIONAL,
    DENIED,
    plan_values,
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


def test_section_3_3_rows_have_one_to_three_different_domains_and_fast_at_most_two(insert: Insert) -> None:
    def domains(*names: str, **changes: Any) -> Callable[[], object]:
        return lambda: insert(plan_values(domains_selected=list(names), **changes))

    assert not refuses(domains("tax"))
    assert not refuses(domains("tax", "brand", mode="fast"))
    assert not refuses(domains("tax", "brand", "market"))
    broken = {
        "none": domains(),
        "four": domains("tax", "brand", "market", "growth"),
        "twice": domains("tax", "tax"),
        "first is third": domains("tax", "brand", "tax"),
        "second is third": domains("brand", "tax", "tax"),
        "three in fast": domains("tax", "brand", "market", mode="fast"),
        "unknown": domains("taxes"),
        "null": lambda: insert(plan_values(domains_selected=[None]), domains=[None]),
    }
    assert kept(broken) == []


def test_section_3_3_a_row_with_lab_needs_the_approval(insert: Insert) -> None:
    for policy in (DENIED, CONDITIONAL):
        assert refuses(partial(insert, plan_values(domains_selected=["lab"], lab_policy=policy)))
    assert not refuses(lambda: insert(plan_values(domains_selected=["lab"], lab_policy=APPROVED)))


def test_the_columns_of_a_plan_say_what_its_json_says(insert: Insert) -> None:
    broken: dict[str, Callable[[], object]] = {
        "mode": lambda: insert(mode="fast"),
        "confidence": lambda: insert(confidence="low"),
        "domain_hint": lambda: insert(domain_hint="tax"),
        "domains": lambda: insert(domains=["transition"]),
        "order": lambda: insert(domains=["market", "transition"]),
        "flags": lambda: insert(flags=["needs-clarification"]),
        "probability": lambda: insert(probability=1.5),
        "no number": lambda: insert(probability=float("nan")),
        "phase": lambda: insert(phase=6),
        "unknown mode": lambda: insert(plan_values(mode="slow")),
        "unknown confidence": lambda: insert(plan_values(confidence="sure")),
    }
    assert kept(broken) == []


COLUMNS: dict[str, Any] = {
    "mode": "deep",
    "domain_hint": "auto",
    "domains": ["transition", "market"],
    "confidence": "high",
    "flags": [],
}


def test_section_4_invariant_10_a_row_is_never_partial_and_no_field_of_it_is_null(insert: Insert) -> None:
    """Of NULL the database does not say that it differs, so a field that is missing or null is looked at by itself."""
    whole = plan_values()
    assert not refuses(lambda: insert(whole, **COLUMNS))
    plans: dict[str, Any] = {"a list of the names": list(whole), "null": Value(None, JSONField()), "text": "plan"}
    for name in whole:
        plans[f"no {name}"] = without(whole, name)
        plans[f"{name} is null"] = {**whole, name: None}
    assert kept({name: partial(insert, plan, **COLUMNS) for name, plan in plans.items()}) == []


def test_section_4_the_json_of_a_row_holds_the_invariants_that_have_no_column(insert: Insert) -> None:
    changes: dict[str, dict[str, Any]] = {
        "more": {"note": 1},
        "agents are no list": {"agents_selected": {}},
        "four agents": {"agents_selected": list("abcd")},
        "an agent is a number": {"agents_selected": [7]},
        "a flag is null": {"flags": [None]},
        "a flag in another form": {"flags": ["Not A Flag"]},
        "a flag twice": {"flags": ["mode-forced-deep", "mode-forced-deep"]},
        "a need is no truth": {"needs_evidence": "true"},
        "another is a number": {"needs_skills": 0},
        "no policy": {"lab_policy": {}},
        "policy is text": {"lab_policy": "denied"},
        "a policy that does not agree": {"lab_policy": {**DENIED, "allow_lab": True}},
        "a status of null": {"lab_policy": {**DENIED, "status": None}},
        "blank rationale": {"rationale": " "},
        "rationale is a number": {"rationale": 7},
        "no time": {"timestamp": "yesterday"},
        "a time without zone": {"timestamp": "2026-02-12T18:14:00"},
        "an unknown hint": {"domain_hint": "taxes"},
    }
    cases = {name: partial(insert, plan_values(**change)) for name, change in changes.items()}
    assert kept(cases) == []


def test_section_3_3_lab_without_any_status_is_not_approved(insert: Insert) -> None:
    for policy in ({}, None, {"allow_lab": True}, {**APPROVED, "status": None}):
        assert refuses(partial(insert, plan_values(domains_selected=["lab"], lab_policy=policy)))


def test_section_3_3_arrays_of_odd_shape_are_refused(insert: Insert) -> None:
    row = insert()
    same = [field.attname for field in QueryPlan._meta.concrete_fields if field.name not in ("id", "domains", "plan")]
    columns = ", ".join(same)
    insertion = (
        f"INSERT INTO routing_queryplan (id, domains, plan, {columns}) SELECT gen_random_uuid(), %s::varchar[],"
        f" jsonb_set(plan, '{{domains_selected}}', to_jsonb(%s::varchar[])), {columns}"
        " FROM routing_queryplan WHERE id = %s"
    )

    def with_domains(array: str) -> Callable[[], object]:
        return lambda: connection.cursor().execute(insertion, [array, array, row.pk])

    assert not refuses(with_domains("{market,tax}"))
    odd = (
        "[0:1]={market,market}",
        "[5:6]={tax,tax}",
        "{{market,tax,brand,growth}}",
        "{{market},{market}}",
        "{NULL}",
        "{}",
    )
    assert kept({array: with_domains(array) for array in odd}) == []
