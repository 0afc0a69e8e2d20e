"""Contracts of the consult for tests: the document's example with changes, and strategies for any valid one."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any, TypeVar

from hypothesis import strategies as st

from routing.contracts import GovernorDecision, LabPolicy, QueryPlan, SynthesizerOutput
from routing.contracts.values import DOMAIN_KEYS, Confidence, Mode

Word = TypeVar("Word", bound=str)

DENIED = {"allow_lab": False, "status": "denied", "rationale": "Phase 1: No experimental features"}
APPROVED = {"allow_lab": True, "status": "approved", "rationale": "User validated for experimental features"}
CONDITIONAL = {"allow_lab": True, "status": "conditional", "rationale": "Only with the sandbox"}
RATIONALE = """
    Detectada intención de cambio laboral (keywords: "excedencia").
    Seleccionado "transition" para análisis de carrera.
    Incluido "market" para validar tracción inmobiliaria.
    """
FLAGS = (
    "needs-clarification",
    "domain-hint-overridden",
    "lab-access-requested",
    "lab-access-denied",
    "lab-access-approved",
    "strategic-mode-parse-failed",
    "router-ambiguity-detected",
    "mode-forced-deep",
)


def plan_values(**changes: Any) -> dict[str, Any]:
    """The fields of the example of spec/4, 10, with changes; `...` leaves a field out."""
    values = {
        "mode": "deep",
        "domain_hint": "auto",
        "domains_selected": ["transition", "market"],
        "agents_selected": [],
        "needs_evidence": False,
        "needs_skills": False,
        "lab_policy": DENIED,
        "rationale": RATIONALE,
        "confidence": "high",
        "flags": [],
        "timestamp": "2026-02-12T18:14:00Z",
        **changes,
    }
    return {name: value for name, value in values.items() if value is not ...}


def plan_made(**changes: Any) -> QueryPlan:
    """The example of spec/4, 10, with changes."""
    return QueryPlan(**plan_values(**changes))


def decision_values(**changes: Any) -> dict[str, Any]:
    """The fields of a decision on the example, with changes; `...` leaves a field out."""
    risk = {"level": "low", "rationale": "Nothing is signed yet."}
    values = {
        "diagnosis": "A leave keeps the job.\nThe market is slow.",
        "recommendation": "postpone",
        "risks": {"labor": {"level": "high", "rationale": "The contract."}, "tax": risk, "brand": risk, "focus": risk},
        "next_steps": ["Read the agreement", "Ask for the form", "Count the savings"],
        "dont_do": ["Resign", "Announce it"],
        "flags": ["labor-risk"],
        "confidence": "medium",
        "strategic_mode_version": "strategic-mode/1",
        "domains_used": ["transition", "market"],
        "timestamp": "2026-02-12T18:14:05Z",
        **changes,
    }
    return {name: value for name, value in values.items() if value is not ...}


def output_values(**changes: Any) -> dict[str, Any]:
    """The fields of an output of the decision, with changes; `...` leaves a field out."""
    plan, decision = plan_values(), decision_values()
    values = {
        "answer": {
            "diagnosis": decision["diagnosis"],
            "recommendation": "Wait.",
            "risks": "Labor is high.",
            "next_steps": decision["next_steps"],
            "dont_do": decision["dont_do"],
        },
        "meta": {
            "mode": "deep",
            "domain_hint": "auto",
            "confidence": "medium",
            "flags": ["labor-risk"],
            "recommendation": "postpone",
            "risk_summary": {"labor": "high", "tax": "low", "brand": "low", "focus": "low"},
            "schema_version": "synthesizer-output/1",
            "strategic_mode_version": "strategic-mode/1",
            "domain_pack_version": "anclora@1",
        },
        "query_plan": {name: plan[name] for name in ("domains_selected", "rationale", "lab_policy")},
        "trace": {
            "query_plan_id": "3f1f7d1e-0000-4000-8000-000000000001",
            "governor_decision_id": "3f1f7d1e-0000-4000-8000-000000000002",
            "created_at": "2026-02-12T18:14:09Z",
            "output_ai": True,
        },
        "evidence": {"status": "not_available", "items": []},
        **changes,
    }
    return {name: value for name, value in values.items() if value is not ...}


_LINE = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=60)


def texts(lines: int) -> st.SearchStrategy[str]:
    """Any text that says something, of at most so many lines."""
    said = st.tuples(_LINE, st.sampled_from(["a", "ñ", "字", "7", "😀", "?"]), _LINE).map("".join)
    return st.lists(said, min_size=1, max_size=lines).map("\n".join)


def several(item: st.SearchStrategy[Word], least: int, most: int) -> st.SearchStrategy[list[Word]]:
    """A list without anything twice."""
    return st.lists(item, min_size=least, max_size=most, unique=True)


def _with_offset(naive: datetime, minutes: int) -> datetime:
    return naive.replace(tzinfo=timezone(timedelta(minutes=minutes)))


moments = st.builds(
    _with_offset,
    st.datetimes(min_value=datetime(1, 1, 3), max_value=datetime(9999, 12, 29)),  # noqa: DTZ001
    st.integers(-1439, 1439),
) | st.datetimes(timezones=st.just(UTC))
flags = st.sampled_from(FLAGS) | st.from_regex(r"\A[a-z0-9]{1,9}(-[a-z0-9]{1,9}){0,3}\Z")
confidences: st.SearchStrategy[Confidence] = st.sampled_from(["low", "medium", "high"])
modes: st.SearchStrategy[Mode] = st.sampled_from(["fast", "deep"])
lab_policies = st.builds(
    lambda status, why: LabPolicy(allow_lab=status != "denied", status=status, rationale=why),
    st.sampled_from(["denied", "conditional", "approved"]),
    texts(2),
)


@st.composite
def plans(draw: st.DrawFn, policies: st.SearchStrategy[LabPolicy] = lab_policies) -> QueryPlan:
    """Any valid plan; with `policies` only such as have one of them."""
    mode, policy = draw(modes), draw(policies)
    keys = [key for key in DOMAIN_KEYS if key != "lab" or policy.status == "approved"]
    untrue = {"lab-access-approved", "lab-access-denied"} - {f"lab-access-{policy.status}"}
    return QueryPlan(
        mode=mode,
        domain_hint=draw(st.sampled_from(["auto", *DOMAIN_KEYS])),
        domains_selected=draw(several(st.sampled_from(keys), 1, 2 if mode == "fast" else 3)),
        agents_selected=draw(several(texts(1), 0, 3)),
        needs_evidence=draw(st.booleans()),
        needs_skills=draw(st.booleans()),
        lab_policy=policy,
        rationale=draw(texts(10)),
        confidence=draw(confidences),
        flags=draw(several(flags.filter(lambda flag: flag not in untrue), 0, 5)),
        timestamp=draw(moments),
    )


@st.composite
def decisions(draw: st.DrawFn, plan: QueryPlan | None = None) -> GovernorDecision:
    """Any valid decision; with a plan, one that fits it."""
    risk = st.fixed_dictionaries({"level": st.sampled_from(["low", "medium", "high"]), "rationale": texts(2)})
    return GovernorDecision(
        diagnosis=draw(texts(8)),
        recommendation=draw(st.sampled_from(["execute", "postpone", "reframe", "discard"])),
        risks=draw(st.fixed_dictionaries(dict.fromkeys(("labor", "tax", "brand", "focus"), risk))),  # type: ignore[arg-type]
        next_steps=draw(several(texts(1), 3, 3)),
        dont_do=draw(several(texts(1), 2, 5)),
        flags=draw(several(flags, 0, 3)),
        confidence=draw(confidences),
        strategic_mode_version=draw(st.from_regex(r"\A[a-z]{1,9}/[0-9]{1,3}\Z")),
        domains_used=draw(several(st.sampled_from(DOMAIN_KEYS), 1, 3)) if plan is None else plan.domains_selected,
        timestamp=draw(moments),
    )


@st.composite
def outputs(draw: st.DrawFn, plan: QueryPlan, decision: GovernorDecision) -> SynthesizerOutput:
    """Any valid output that fits a plan and a decision."""
    items = st.fixed_dictionaries({"source": texts(1), "excerpt": texts(1).map(lambda text: text[:200])})
    found = draw(st.lists(items, max_size=5, unique_by=lambda item: item["source"]))
    return SynthesizerOutput.model_validate(
        {
            "answer": {
                "diagnosis": decision.diagnosis,
                "recommendation": draw(texts(2)),
                "risks": draw(texts(2)),
                "next_steps": decision.next_steps,
                "dont_do": decision.dont_do,
            },
            "meta": {
                "mode": plan.mode,
                "domain_hint": plan.domain_hint,
                "confidence": decision.confidence,
                "flags": decision.flags,
                "recommendation": decision.recommendation,
                "risk_summary": decision.risks.levels,
                "schema_version": "synthesizer-output/1",
                "strategic_mode_version": decision.strategic_mode_version,
                "domain_pack_version": draw(texts(1)),
            },
            "query_plan": {name: plan[name] for name in ("domains_selected", "rationale", "lab_policy")},
            "trace": {
                "query_plan_id": draw(st.uuids()),
                "governor_decision_id": draw(st.uuids()),
                "created_at": draw(moments),
                "output_ai": True,
            },
            "evidence": {"status": "available" if found else "not_available", "items": found},
        }
    )
