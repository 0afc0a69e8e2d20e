"""`manage.py route`: a file of messages, each with its query plan."""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from routing.contracts import QueryPlan
from tests.operations.batch import as_lines, run_here

DOCUMENTED = "¿Es buen momento para solicitar excedencia en CGI?"
GOOD: list[dict[str, Any]] = [
    {"message": DOCUMENTED, "mode": "deep"},
    {"message": "¿Qué cuota de autónomos pagaré el primer año?"},
    {"message": "How much is a square metre in Inca?", "domain_hint": "market", "mode": "fast", "label": 3},
    {"message": "", "domain_hint": None, "mode": None},
    {"message": "x" * 10_000},
    {"message": "‮שלום 🏠 <b>{}</b>\n\t"},
]
BAD: list[Any] = [
    {"message": 3},
    {"message": "x", "mode": "slow"},
    {"message": "x", "domain_hint": "sports"},
    {"mode": "fast"},
    [],
]


@pytest.fixture(scope="module")
def found() -> list[Any]:
    return run_here("route", source=as_lines(*GOOD, *BAD))


def test_every_message_gets_a_whole_plan_and_every_bad_row_an_error(found: list[Any]) -> None:
    plans = [QueryPlan.model_validate(plan) for plan in found[: len(GOOD)]]
    assert [plan.mode for plan in plans[::2]][:2] == ["deep", "fast"]
    assert (plans[1].domains_selected[0], plans[2].domain_hint) == ("tax", "market")
    assert {flag for plan in plans[3:5] for flag in plan.flags} >= {"needs-clarification"}
    assert [list(answer) for answer in found[len(GOOD) :]] == [["error"]] * len(BAD)


def test_section_10_the_documented_example_is_understood_as_documented(found: list[Any]) -> None:
    plan = QueryPlan.model_validate(found[0])
    assert (plan.mode, plan.domain_hint, plan.confidence, plan.flags) == ("deep", "auto", "high", [])
    assert set(plan.domains_selected) == {"transition", "market"}
    assert "excedencia" in plan.rationale


def test_a_pack_of_other_domains_is_not_for_query_plans(tmp_path: Path) -> None:
    pack = tmp_path / "pack.yaml"
    pack.write_text("domains: {tax: {examples: [a]}, cats: {examples: [b]}}")
    with pytest.raises(CommandError, match="domains/cats: is not one of market, brand"):
        run_here("route", "--pack", str(pack), source=as_lines({"message": "x"}))
