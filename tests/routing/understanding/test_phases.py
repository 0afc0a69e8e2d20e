"""What a phase forbids cannot be produced, what it allows is. Source: spec/4, 3.4 to 3.7 and 5."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from routing.agents import AGENTS, agents_for
from routing.contracts import QueryPlan
from routing.contracts.reading import DomainScore, Reading
from routing.models import PHASES
from routing.packs.pack import Pack, pack_read
from routing.router import Router
from routing.understanding.phases import Phase, lab_denied, phase_now, phase_of
from routing.understanding.phrases import Phrases, needs_evidence, validation_asked
from tests.routing.strategies import plan_values

DATA = Path(__file__).parents[1] / "data"
WANTS = {"evidence": True, "agents": ["market_analyst", "compliance_auditor"], "skills": ["spending_status"]}


def plan_in(phase: Phase, **wants: Any) -> QueryPlan:
    """The example's plan with what the phase leaves of what is wanted."""
    bound = phase.bound(**{**WANTS, **wants})
    return QueryPlan(**plan_values(**{**bound.model_dump(), "agents_selected": list(bound.agents_selected)}))


@given(
    number=st.sampled_from(PHASES),
    evidence=st.booleans(),
    agents=st.lists(st.sampled_from([*AGENTS, "nobody", "", "lead_enricher "])),
    skills=st.booleans() | st.lists(st.sampled_from(["spending_status", "another"])),
)
def test_no_phase_lets_through_what_it_forbids(number: int, evidence: bool, agents: list[str], skills: Any) -> None:
    bound = phase_of(number).bound(evidence=evidence, agents=agents, skills=skills)
    plan = plan_in(phase_of(number), evidence=evidence, agents=agents, skills=skills)  # never a broken one
    if number == 2:
        assert not plan.needs_evidence
    if number < 4:
        assert plan.agents_selected == []
        assert not plan.needs_skills
    assert set(plan.agents_selected) <= set(AGENTS) & set(agents)
    assert bound.needs_evidence == (evidence and number >= 3)
    assert bound.needs_skills == (bool(skills) and number >= 4)
    assert len(bound.agents_selected) == (min(3, len(set(agents) & set(AGENTS))) if number >= 4 else 0)


def test_section_5_phase_2_has_neither_evidence_nor_agents_nor_skills() -> None:
    plan = plan_in(phase_of(2))
    assert (plan.needs_evidence, plan.agents_selected, plan.needs_skills) == (False, [], False)


def test_section_5_phase_3_may_want_evidence_and_nothing_else() -> None:
    plan = plan_in(phase_of(3))
    assert (plan.needs_evidence, plan.agents_selected, plan.needs_skills) == (True, [], False)
    assert plan_in(phase_of(3), evidence=False).needs_evidence is False


def test_section_5_phase_4_may_have_agents_and_skills() -> None:
    plan = plan_in(phase_of(4))
    assert (plan.needs_evidence, plan.needs_skills) == (True, True)
    assert plan.agents_selected == ["market_analyst", "compliance_auditor"]
    assert plan_in(phase_of(4), skills=[]).needs_skills is False


def test_section_5_phase_5_has_the_structure_of_phase_4() -> None:
    assert plan_in(phase_of(5)) == plan_in(phase_of(4))


def test_phases_are_those_of_the_rows_and_others_are_refused_by_name(settings: Settings) -> None:
    assert [phase_of(number).number for number in PHASES] == list(PHASES)
    for number in PHASES:
        settings.QUERY_PLAN_PHASE = number
        assert phase_now() == phase_of(number)
    others: list[Any] = [0, 1, 6, -2, "3", None]
    for other in others:
        with pytest.raises(ValueError, match="the phases are 2, 3, 4, 5"):
            phase_of(other)


def test_section_3_4_agents_are_at_most_three_the_most_specific_first() -> None:
    plans = (("market",), ("tax", "transition"), ("market", "system"), ("market", "tax"), ("brand",), ("lab",))
    chosen = {(mode, domains): agents_for(domains, mode) for mode in ("fast", "deep") for domains in plans}
    general = ["experience_reader", "precedent_finder"]
    assert chosen == {
        ("fast", ("market",)): ["market_analyst"],
        ("fast", ("tax", "transition")): ["compliance_auditor"],
        ("fast", ("market", "system")): ["lead_enricher"],
        ("fast", ("market", "tax")): ["market_analyst"],
        ("fast", ("brand",)): general[:1],
        ("fast", ("lab",)): general[:1],
        ("deep", ("market",)): ["market_analyst", "lead_enricher", "experience_reader"],
        ("deep", ("tax", "transition")): ["compliance_auditor", *general],
        ("deep", ("market", "system")): ["lead_enricher", "market_analyst", "experience_reader"],
        ("deep", ("market", "tax")): ["market_analyst", "compliance_auditor", "lead_enricher"],
        ("deep", ("brand",)): general,
        ("deep", ("lab",)): general,
    }
    assert agents_for(["tax", "market"], "deep") == agents_for(["market", "tax", "tax"], "deep")
    assert agents_for(["nonsense"], "deep") == agents_for([], "deep") == []


def pack() -> Pack:
    """A pack with the documented cases: by domain, and by fine label where it differs."""
    domains: dict[str, Any] = {
        key: {
            "title": key,
            "evidence": key in ("transition", "tax"),
            "examples": {label: [f"one {key} {label}", f"two {key} {label}"] for label in labels},
        }
        for key, labels in _LABELS.items()
    }
    domains["market"]["evidence_labels"] = {"validation": True}
    return pack_read({"pack": "cases@1", "domains": domains}, strict=False)


_LABELS = {
    "transition": ["leaving"],
    "tax": ["vat"],
    "brand": ["copy"],
    "growth": ["strategy"],
    "market": ["prices", "validation"],
}


def reading(first: str, label: str = "") -> Reading:
    """A message that is about one domain and nothing else."""
    return Reading(
        language="en",
        scores=(DomainScore(domain=first, share=1),),
        label=label,
        probability=1,
        in_scope=1,
        certainty="high",
        margin=1,
        similarity=1,
        agree=True,
    )


def test_section_3_5_needs_evidence_by_the_documented_table() -> None:
    cases = pack()
    table = [
        ("job", True, "Should I ask for a leave?", "transition", "leaving", ["transition"]),
        ("tax", True, "How is a company taxed?", "tax", "vat", ["tax"]),
        ("brand copy", False, "Write a line for my site", "brand", "copy", ["brand"]),
        ("pure strategy", False, "Which line should I open next?", "growth", "strategy", ["growth"]),
        ("data validated, by its label", True, "Rents of March", "market", "validation", ["market"]),
        ("data validated, in any domain", True, "Verify these figures", "brand", "copy", ["brand"]),
        ("no validation", False, "Flats in Lisbon", "market", "prices", ["market"]),
        ("one of two domains", True, "Open a line, and VAT?", "growth", "strategy", ["growth", "tax"]),
        ("the label is the first domain's", False, "A line", "growth", "validation", ["growth", "market"]),
        ("the hint took another domain", False, "Should I leave?", "transition", "leaving", ["brand"]),
        ("no domain of the pack", False, "An experiment", "growth", "strategy", ["lab"]),
    ]
    wrong = [
        case
        for case, expected, message, first, label, domains in table
        if needs_evidence(reading(first, label), domains, cases, message) is not expected
    ]
    assert not wrong


def test_section_3_5_requests_to_check_data_are_known_in_both_languages() -> None:
    sentences = json.loads((DATA / "validation.json").read_text(encoding="utf-8"))
    assert min(map(len, sentences.values())) >= 40
    assert [one for one in sentences["asks"] if not validation_asked(one)] == []
    assert [one for one in sentences["does_not"] if validation_asked(one)] == []


def test_section_3_7_lab_is_denied_in_the_documented_words() -> None:
    default = lab_denied(requested=False, language="en")
    assert dict(default) == {"allow_lab": False, "status": "denied", "rationale": "Phase 1: No experimental features"}
    asked = lab_denied(requested=True, language="en")
    assert asked.rationale == "User requested lab, but not authorized in Phase 1"
    assert lab_denied(requested=False, language="pt") == default
    for requested in (True, False):
        spanish = lab_denied(requested=requested, language="es")
        assert (spanish.allow_lab, spanish.status, len(spanish.rationale.splitlines())) == (False, "denied", 1)
        assert "Fase 1" in spanish.rationale


def test_a_file_of_phrases_names_the_line_that_cannot_be_read() -> None:
    for line in ("check {nothing}", "check (this | that", "* this", "[unknown]"):
        with pytest.raises(ValueError, match=r"list\.txt, line 2"):
            Phrases("list.txt", f"# a list\n{line}\n")
    assert Phrases("list.txt", "{it} = this\n{it} = that\n{it} done :").ask("That: (this, done)!")


def test_any_message_is_looked_through() -> None:
    junk = [
        "",
        "\x00",
        "?" * 10_000,
        "check " * 100_000,
        "no " * 100_000,
        "\ud800 check",
        "🙂" * 9_000,
        "تحقق من الأرقام",
    ]
    request = "Can you verify these figures?"
    assert [one for one in junk if validation_asked(one)] == []
    assert [one for one in junk if not validation_asked(f"{one}\n{request}")] == []
    assert [one for one in junk if not validation_asked(f"{request}\n{one}")] == []


@pytest.mark.django_db
def test_section_5_the_router_makes_the_plans_of_each_phase() -> None:
    messages = {
        "¿Es buen momento para solicitar excedencia en CGI?": (True, False),
        "How is a limited company taxed?": (True, False),
        "Escribe un eslogan para mi marca personal": (False, False),
        "Verify these figures about my brand": (True, False),
        "How much budget do I have left for another deep analysis?": (None, True),
    }
    for number in PHASES:
        router = Router(phase=phase_of(number))
        for message, (evidence, skills) in messages.items():
            plan = router.route(message, mode="deep")
            assert plan.needs_skills == (skills and number >= 4), (number, message)
            assert bool(plan.agents_selected) == (number >= 4), (number, message)
            if evidence is not None:
                assert plan.needs_evidence == (evidence and number >= 3), (number, message)
