"""No way round the rules of the contracts: building, copying, unpickling, inheriting, changing in place."""

import copy
import pickle
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from zoneinfo import ZoneInfo

import pydantic
import pytest

from routing.contracts import (
    NO_EVIDENCE,
    Evidence,
    GovernorDecision,
    LabPolicy,
    QueryPlan,
    SynthesizerOutput,
    Trace,
    validate_query_plan,
)
from routing.errors import ContractsDisagree, QueryPlanInvalid
from tests.each import each
from tests.routing.strategies import APPROVED, DENIED, decision_values, output_values, plan_made, plan_values

TOO_MANY = {"mode": "fast", "domains_selected": ["tax", "brand", "market"]}


@each(
    "change",
    [
        lambda plan: plan.model_copy(update={"mode": "slow"}),
        lambda plan: plan.copy(update={"mode": "slow"}),
        lambda plan: plan.copy(exclude={"mode"}),
        lambda plan: plan.__replace__(mode="slow"),
        lambda plan: type(plan).model_construct(mode="slow"),
        lambda plan: plan.__init__(**plan_values(**TOO_MANY)),
        lambda plan: plan.__init__(**plan_values(mode="fast")),
        lambda plan: plan.__setstate__({"__dict__": {"mode": "slow"}}),
        lambda plan: setattr(plan, "mode", "fast"),
        lambda plan: delattr(plan, "mode"),
        lambda plan: setattr(plan, "note", "more"),
        lambda plan: setattr(plan.lab_policy, "allow_lab", True),
        lambda plan: plan.flags.append("x"),
        lambda plan: plan.flags.extend(["x"]),
        lambda plan: plan.flags.insert(0, "x"),
        lambda plan: plan.flags.__iadd__(["x"]),
        lambda plan: plan.domains_selected.clear(),
        lambda plan: plan.domains_selected.pop(),
        lambda plan: plan.domains_selected.remove("market"),
        lambda plan: plan.domains_selected.sort(),
        lambda plan: plan.domains_selected.reverse(),
        lambda plan: plan.domains_selected.__imul__(2),
        lambda plan: plan.domains_selected.__setitem__(0, "lab"),
        lambda plan: plan.domains_selected.__setitem__(slice(None), []),
        lambda plan: plan.domains_selected.__delitem__(0),
        lambda plan: setattr(plan.domains_selected, "note", "more"),
        lambda plan: type("Loose", (QueryPlan,), {"__annotations__": {"mode": str}}),
        lambda plan: type("Loose", (LabPolicy,), {}),
        lambda plan: pydantic.create_model("Loose", __base__=QueryPlan, mode=(str, ...)),
    ],
)
def test_a_plan_stays_as_it_was_built(change: Callable[[Any], object]) -> None:
    plan = plan_made()
    with pytest.raises((TypeError, ValueError, AttributeError)):
        change(plan)
    assert plan == plan_made()
    assert validate_query_plan(plan)


def test_a_list_of_a_plan_cannot_be_filled_anew() -> None:
    plan = plan_made()
    plan.flags.__init__(["BAD"])  # type: ignore[misc]
    plan.domains_selected.__init__([])  # type: ignore[misc]
    assert plan == plan_made()


def test_what_was_broken_with_force_is_found_out() -> None:
    policy = LabPolicy(**DENIED)  # type: ignore[arg-type]
    object.__setattr__(policy, "status", "approved")
    with pytest.raises(ValueError, match="allow_lab"):
        plan_made(lab_policy=policy, domains_selected=["lab"])
    plan = plan_made()
    object.__setattr__(plan, "domains_selected", [])
    for broken in (plan, QueryPlan.__new__(QueryPlan)):
        with pytest.raises(QueryPlanInvalid, match="domains_selected"):
            validate_query_plan(broken)
    with pytest.raises(ValueError, match="domains_selected"):
        pickle.loads(pickle.dumps(plan))


def test_copies_and_pickles_are_equal_and_as_frozen() -> None:
    plan = plan_made(flags=["needs-clarification"], timestamp=datetime(2026, 10, 25, 2, 30, tzinfo=UTC))
    again = [pickle.loads(pickle.dumps(plan, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for twin in (*again, copy.copy(plan), copy.deepcopy(plan), plan.model_copy(), plan.model_copy(deep=True)):
        assert twin == plan
        assert hash(twin) == hash(plan)
        with pytest.raises(TypeError, match="cannot be changed"):
            twin.flags.append("x")


def test_a_subclass_of_str_leaves_nothing_of_itself() -> None:
    class AlwaysEqual(str):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = str.__hash__

    plan = plan_made(rationale=AlwaysEqual("x"), domains_selected=[AlwaysEqual("tax")], flags=[AlwaysEqual("a")])
    assert {type(plan.rationale), type(plan.domains_selected[0]), type(plan.flags[0])} == {str}


@pytest.mark.parametrize("text", ["a\0", "\ud800a", "a\udfff"])
def test_no_text_that_the_database_cannot_keep(text: str) -> None:
    for changes in ({"rationale": text}, {"agents_selected": [text]}, {"lab_policy": {**DENIED, "rationale": text}}):
        with pytest.raises(QueryPlanInvalid, match="cannot keep"):
            validate_query_plan(plan_values(**changes))


def test_a_zone_becomes_its_offset_so_that_hours_which_come_twice_stay_equal() -> None:
    madrid = ZoneInfo("Europe/Madrid")
    for fold, hours in ((0, 2), (1, 1)):
        plan = plan_made(timestamp=datetime(2026, 10, 25, 2, 30, tzinfo=madrid, fold=fold))
        assert plan.timestamp.utcoffset() == timedelta(hours=hours)
        assert QueryPlan.model_validate_json(plan.model_dump_json()) == plan
    for odd in (timezone(timedelta(seconds=3601)), timezone(timedelta(microseconds=5))):
        with pytest.raises(ValueError, match="whole minutes"):
            plan_made(timestamp=datetime(2026, 1, 1, tzinfo=odd))


@each(
    "nothing",
    [
        None,
        1,
        [],
        object(),
        "",
        "{",
        "[]",
        "null",
        b"\xff",
        "\ud800",
        bytearray(b"{}"),
        {1: 2},
        {"\ud800": 1},
        "[" * 9999,
    ],
)
def test_what_is_no_plan_at_all_is_refused_with_a_place(nothing: Any) -> None:
    with pytest.raises(QueryPlanInvalid) as error:
        validate_query_plan(nothing)
    assert error.value.places


def _changed(values: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    values = copy.deepcopy(values)
    *way, last = path.split(".")
    at = values
    for key in way:
        at = at[key]
    if value is ...:
        del at[last]
    else:
        at[last] = value
    return values


DECISIONS_BROKEN = [
    ("diagnosis", "\n".join("a" * 9)),
    ("diagnosis", "\u200b"),
    ("recommendation", "do it"),
    ("risks.labor.level", "none"),
    ("risks.labor.rationale", "a\nb\nc"),
    ("risks.focus", ...),
    ("risks.health", {"level": "low", "rationale": "x"}),
    ("next_steps", ["a", "b"]),
    ("next_steps", ["a", "b", "c", "d"]),
    ("next_steps", ["a", "b", "b"]),
    ("next_steps", ["a", "b", " "]),
    ("dont_do", ["a"]),
    ("dont_do", list("abcdef")),
    ("flags", ["Labor Risk"]),
    ("confidence", "sure"),
    ("strategic_mode_version", ""),
    ("strategic_mode_version", "a" * 65),
    ("domains_used", []),
    ("domains_used", ["tax", "tax"]),
    ("domains_used", ["tax", "brand", "market", "growth"]),
    ("timestamp", "2026-02-12T18:14:05"),
    ("timestamp", 1770920040),
    ("note", "more"),
    *[(field, broken) for field in decision_values() for broken in (..., None)],
]


@each(("path", "value"), DECISIONS_BROKEN)
def test_related_facts_a_governor_decision_cannot_be_built_broken(path: str, value: object) -> None:
    with pytest.raises(pydantic.ValidationError) as error:
        GovernorDecision.model_validate(_changed(decision_values(), path, value))
    assert error.value.errors()[0]["loc"][0] == path.partition(".")[0]


OUTPUTS_BROKEN = [
    ("answer.diagnosis", "word " * 800),
    ("answer.next_steps", ["a", "b"]),
    ("answer.dont_do", ["a"]),
    ("answer.risks", ...),
    ("meta.recommendation", "do it"),
    ("meta.risk_summary.tax", ...),
    ("meta.domain_pack_version", " "),
    ("meta.mode", None),
    ("query_plan.domains_selected", []),
    ("query_plan.rationale", "\n".join("a" * 11)),
    ("query_plan.lab_policy.allow_lab", True),
    ("trace.output_ai", False),
    ("trace.output_ai", 1),
    ("trace.output_ai", "true"),
    ("trace.query_plan_id", "7"),
    ("trace.created_at", "yesterday"),
    ("evidence.status", "maybe"),
    ("evidence.items", [{"source": "a", "excerpt": "b"}]),
    ("evidence", {"status": "available", "items": [{"source": "a", "excerpt": "b" * 201}]}),
    ("evidence", {"status": "available", "items": [{"source": str(at), "excerpt": "b"} for at in range(6)]}),
    *[(field, broken) for field in output_values() for broken in (..., None)],
]


@each(("path", "value"), OUTPUTS_BROKEN)
def test_related_facts_a_synthesizer_output_cannot_be_built_broken(path: str, value: object) -> None:
    with pytest.raises(pydantic.ValidationError) as error:
        SynthesizerOutput.model_validate(_changed(output_values(), path, value))
    assert error.value.errors()[0]["loc"][0] == path.partition(".")[0]


@each(
    ("path", "value"),
    [
        ("meta.recommendation", "execute"),
        ("meta.risk_summary.labor", "low"),
        ("meta.mode", "fast"),
        ("meta.domain_hint", "tax"),
        ("meta.strategic_mode_version", "strategic-mode/2"),
        ("query_plan.domains_selected", ["market", "transition"]),
        ("query_plan.rationale", "Something else."),
        ("query_plan.lab_policy", APPROVED),
    ],
)
def test_related_facts_an_output_says_what_its_sources_say(path: str, value: object) -> None:
    decision = GovernorDecision.model_validate(decision_values())
    SynthesizerOutput.model_validate(output_values()).require_fits(plan_made(), decision)
    with pytest.raises(ContractsDisagree) as error:
        SynthesizerOutput.model_validate(_changed(output_values(), path, value)).require_fits(plan_made(), decision)
    assert ".".join(path.split(".")[:2]) in error.value.message


def test_related_facts_a_human_is_asked_when_labor_tax_or_brand_is_high() -> None:
    for risk in ("labor", "tax", "brand", "focus"):
        risks = {name: {"level": "low", "rationale": "x"} for name in ("labor", "tax", "brand", "focus")}
        risks[risk]["level"] = "high"
        decision = GovernorDecision.model_validate(decision_values(risks=risks))
        assert decision.asks_a_human is (risk != "focus")


def test_an_output_says_always_that_a_program_made_it_and_no_evidence_has_no_items() -> None:
    assert Trace.model_validate(output_values()["trace"]).output_ai is True
    assert Evidence(status="not_available", items=[]) == NO_EVIDENCE
