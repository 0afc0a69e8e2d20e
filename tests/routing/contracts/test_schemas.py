"""The published JSON Schemas: frozen byte for byte, and of one mind with the contracts."""

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from routing.contracts import SCHEMA_VERSIONS
from routing.schemas.files import FOLDER, SCHEMAS, schema_path, schema_published
from tests.each import each
from tests.routing.contracts.schemas import CONTRACTS, schema_address, schema_generated
from tests.routing.strategies import (
    APPROVED,
    CONDITIONAL,
    DENIED,
    decision_values,
    decisions,
    output_values,
    outputs,
    plan_values,
    plans,
)

VALIDATORS = {name: jsonschema.Draft202012Validator(json.loads(schema_published(name))) for name in SCHEMAS}


def accepted(name: str, value: Any) -> bool:
    return bool(VALIDATORS[name].is_valid(value))


@each("name", SCHEMAS)
def test_section_7_a_published_schema_is_never_overwritten(name: str) -> None:
    assert schema_generated(name) == schema_published(name), "a change of a contract is a v2: docs/query-plan-v1.md"


def test_every_contract_has_its_schema_and_every_file_its_contract() -> None:
    assert set(SCHEMAS) == set(SCHEMA_VERSIONS.values()) == set(CONTRACTS)
    assert set(FOLDER.glob("*.json")) == {schema_path(name) for name in SCHEMAS}
    for name in SCHEMAS:
        jsonschema.Draft202012Validator.check_schema(json.loads(schema_published(name)))


@given(st.data())
def test_what_the_contracts_take_the_schemas_take(data: st.DataObject) -> None:
    plan = data.draw(plans())
    decision = data.draw(decisions(plan))
    output = data.draw(outputs(plan, decision))
    for name, value in zip(CONTRACTS, (plan, decision, output), strict=True):
        assert accepted(name, value.model_dump(mode="json"))


BROKEN_PLANS: list[dict[str, Any]] = [
    *({name: ...} for name in plan_values()),
    *({name: None} for name in plan_values()),
    {"more": 1},
    {"mode": "slow"},
    {"domain_hint": "sports"},
    {"domains_selected": []},
    {"domains_selected": ["tax", "tax"]},
    {"domains_selected": ["tax", "brand", "growth", "system"]},
    {"mode": "fast", "domains_selected": ["tax", "brand", "growth"]},
    {"domains_selected": ["lab"]},
    {"domains_selected": ["lab"], "lab_policy": CONDITIONAL},
    {"agents_selected": ["a", "b", "c", "d"]},
    {"agents_selected": [" "]},
    {"needs_evidence": 1},
    {"lab_policy": {**DENIED, "allow_lab": True}},
    {"lab_policy": {**APPROVED, "allow_lab": False}},
    {"lab_policy": {**CONDITIONAL, "allow_lab": False}},
    {"rationale": "\n "},
    {"flags": ["Not A Flag"]},
    {"flags": ["lab-access-approved"]},
    {"flags": ["lab-access-denied"], "lab_policy": APPROVED},
]


def test_what_the_plan_refuses_its_schema_refuses() -> None:
    taken = [changes for changes in BROKEN_PLANS if accepted("query-plan/1", plan_values(**changes))]
    assert taken == []
    assert accepted("query-plan/1", plan_values(domains_selected=["lab"], lab_policy=APPROVED))


def test_what_decision_and_output_refuse_their_schemas_refuse() -> None:
    assert accepted("governor-decision/1", decision_values())
    assert accepted("synthesizer-output/1", output_values())
    item = {"source": "s", "excerpt": "e"}
    broken = {
        "governor-decision/1": [
            decision_values(next_steps=["one", "two"]),
            decision_values(dont_do=["one"]),
            decision_values(recommendation="wait"),
            decision_values(risks={}),
        ],
        "synthesizer-output/1": [
            output_values(evidence={"status": "not_available", "items": [item]}),
            output_values(evidence={"status": "available", "items": [{"source": "s", "excerpt": "x" * 201}]}),
            output_values(trace={**output_values()["trace"], "output_ai": False}),
        ],
    }
    assert [name for name, values in broken.items() for value in values if accepted(name, value)] == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_is_published_at_its_id_and_sent_once(client: Client, name: str) -> None:
    first = client.get(schema_address(name))
    assert (first.status_code, first["Content-Type"]) == (200, "application/schema+json")
    assert first.content == schema_published(name)
    assert first.json()["$id"] == schema_address(name)
    again = client.get(schema_address(name), headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["query-plan/2", "lesson/1", "query-plan/0001000"])
def test_a_schema_that_nobody_published_is_not_found(client: Client, name: str) -> None:
    assert client.get(f"/schemas/{name}/schema.json").status_code == 404
