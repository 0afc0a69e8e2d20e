"""QueryPlan v1, GovernorDecision v1, SynthesizerOutput v1: a question becomes a plan, a decision, an answer.

Sources: spec/4 for the plan, which is frozen (docs/query-plan-v1.md says what would need a v2); spec/related-facts,
"Contracts around QueryPlan v1", for the other two.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self
from uuid import UUID

import pydantic
from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from routing.contracts.values import (
    AGENTS_AT_MOST,
    DOMAINS_AT_MOST,
    Confidence,
    Diagnosis,
    Different,
    DomainHint,
    DomainKey,
    Flag,
    FrozenList,
    LabStatus,
    Mode,
    Moment,
    Rationale,
    Sealed,
    ShortText,
    Text,
    Truth,
    Version,
    true_or_false,
)
from routing.errors import ContractsDisagree, QueryPlanInvalid

SCHEMA_VERSIONS = {
    "query_plan": "query-plan/1",
    "governor_decision": "governor-decision/1",
    "synthesizer_output": "synthesizer-output/1",
}
WORDS_AT_MOST = 800
Recommendation = Literal["execute", "postpone", "reframe", "discard"]
RiskLevel = Literal["low", "medium", "high"]
_ASKS_A_HUMAN = ("labor", "tax", "brand")


class LabPolicy(Sealed):
    """Whether the laboratory may be used, and why, in one or two lines. Source: spec/4, 3.7."""

    allow_lab: Truth
    status: LabStatus
    rationale: ShortText

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.allow_lab != (self.status != "denied"):
            raise ValueError(f"allow_lab is {self.allow_lab}, which does not go with the status {self.status}")
        return self


class QueryPlan(Sealed):
    """How a question was understood, for those who decide and answer. Every field is given. Source: spec/4, 2 to 4.

    The order of domains means nothing. `flags` may hold others than those of `routing.understanding.flags`.
    """

    mode: Mode
    domain_hint: DomainHint
    domains_selected: Annotated[list[DomainKey], Field(min_length=1, max_length=3), Different]
    agents_selected: Annotated[list[Text], Field(max_length=AGENTS_AT_MOST), Different]
    needs_evidence: Truth
    needs_skills: Truth
    lab_policy: LabPolicy
    rationale: Rationale
    confidence: Confidence
    flags: Annotated[list[Flag], Different]
    timestamp: Moment

    @model_validator(mode="after")
    def _holds(self) -> Self:
        limit = DOMAINS_AT_MOST[self.mode]
        if len(self.domains_selected) > limit:
            raise ValueError(f"{self.mode} has at most {limit} domains, not {len(self.domains_selected)}")
        status = self.lab_policy.status
        if "lab" in self.domains_selected and status != "approved":
            raise ValueError(f"lab is among the domains, and its status is {status}, not approved")
        for flag, meant in (("lab-access-approved", "approved"), ("lab-access-denied", "denied")):
            if flag in self.flags and status != meant:
                raise ValueError(f"the flag {flag} does not go with the status {status}")
        return self


def validate_query_plan(plan: QueryPlan | Mapping[str, Any] | str | bytes) -> bool:
    """True for a plan that holds every invariant of spec/4, 4; a mapping or JSON is read as one.

    Raises `QueryPlanInvalid`, which is a `ValueError` and names each place, for everything else.
    """
    try:
        if isinstance(plan, str | bytes):
            QueryPlan.model_validate_json(plan)
        else:
            values: Any = vars(plan) if isinstance(plan, QueryPlan) else plan
            QueryPlan.model_validate(dict(values) if isinstance(values, Mapping) else values)
    except pydantic.ValidationError as error:
        raise QueryPlanInvalid.of(error) from error
    return True


class Risk(Sealed):
    """How high a risk is, and why in one or two lines."""

    level: RiskLevel
    rationale: ShortText


class RiskProfile(Sealed):
    """The four risks that every decision weighs."""

    labor: Risk
    tax: Risk
    brand: Risk
    focus: Risk

    @property
    def levels(self) -> dict[str, RiskLevel]:
        """The levels by the names of the risks."""
        return {name: getattr(self, name).level for name in type(self).model_fields}


class GovernorDecision(Sealed):
    """What is decided on a query plan. Every field is given; `domains_used` are the plan's, unchanged."""

    diagnosis: Diagnosis
    recommendation: Recommendation
    risks: RiskProfile
    next_steps: Annotated[list[Text], Field(min_length=3, max_length=3), Different]
    dont_do: Annotated[list[Text], Field(min_length=2, max_length=5), Different]
    flags: Annotated[list[Flag], Different]
    confidence: Confidence
    strategic_mode_version: Version
    domains_used: Annotated[list[DomainKey], Field(min_length=1, max_length=3), Different]
    timestamp: Moment

    @property
    def asks_a_human(self) -> bool:
        """Whether a human has to be asked: the risk for labor, tax or brand is high."""
        levels = self.risks.levels
        return any(levels[name] == "high" for name in _ASKS_A_HUMAN)

    def require_fits(self, plan: QueryPlan) -> None:
        """Raises `ContractsDisagree` when this is no decision on that plan."""
        if self.domains_used != plan.domains_selected:
            raise ContractsDisagree(
                f"domains_used is {list(self.domains_used)}, the plan has {list(plan.domains_selected)}"
            )


class Answer(Sealed):
    """The five blocks of an answer, in their fixed order; at most 800 words together."""

    diagnosis: Text
    recommendation: Text
    risks: Text
    next_steps: Annotated[list[Text], Field(min_length=3, max_length=3), Different]
    dont_do: Annotated[list[Text], Field(min_length=2, max_length=5), Different]

    @property
    def words(self) -> int:
        """How many words it has."""
        parts = [self.diagnosis, self.recommendation, self.risks, *self.next_steps, *self.dont_do]
        return sum(len(part.split()) for part in parts)

    @model_validator(mode="after")
    def _is_short(self) -> Self:
        if self.words > WORDS_AT_MOST:
            raise ValueError(f"has {self.words} words, at most {WORDS_AT_MOST} are allowed")
        return self


class RiskSummary(Sealed):
    """The levels of the four risks."""

    labor: RiskLevel
    tax: RiskLevel
    brand: RiskLevel
    focus: RiskLevel


class OutputMeta(Sealed):
    """What the answer rests on, and the versions that made it."""

    mode: Mode
    domain_hint: DomainHint
    confidence: Confidence
    flags: Annotated[list[Flag], Different]
    recommendation: Recommendation
    risk_summary: RiskSummary
    schema_version: Text
    strategic_mode_version: Version
    domain_pack_version: Text


class PlanView(Sealed):
    """What a reader sees of the plan."""

    domains_selected: Annotated[list[DomainKey], Field(min_length=1, max_length=3), Different]
    rationale: Rationale
    lab_policy: LabPolicy


class Trace(Sealed):
    """Where the answer comes from; that a program made it is always said."""

    query_plan_id: UUID
    governor_decision_id: UUID
    created_at: Moment
    output_ai: Annotated[Literal[True], BeforeValidator(true_or_false)]


class EvidenceItem(Sealed):
    """A source, and at most 200 characters of it."""

    source: Text
    excerpt: Annotated[Text, StringConstraints(max_length=200)]


class Evidence(Sealed):
    """What was found to rest on: at most five items; none where evidence cannot be had (Phase 2)."""

    status: Literal["not_available", "available"]
    items: Annotated[list[EvidenceItem], Field(max_length=5), Different]

    @model_validator(mode="after")
    def _agrees(self) -> Self:
        if self.status == "not_available" and self.items:
            raise ValueError("evidence that is not available has no items")
        return self


NO_EVIDENCE = Evidence(status="not_available", items=FrozenList())


class SynthesizerOutput(Sealed):
    """What a reader gets. Recommendation, risk levels and domains equal those that they come from."""

    answer: Answer
    meta: OutputMeta
    query_plan: PlanView
    trace: Trace
    evidence: Evidence

    def require_fits(self, plan: QueryPlan, decision: GovernorDecision) -> None:
        """Raises `ContractsDisagree`, naming the place, when this is not what that decision on that plan says."""
        pairs = {
            "meta.recommendation": (self.meta.recommendation, decision.recommendation),
            "meta.risk_summary": (dict(self.meta.risk_summary), decision.risks.levels),
            "meta.mode": (self.meta.mode, plan.mode),
            "meta.domain_hint": (self.meta.domain_hint, plan.domain_hint),
            "meta.strategic_mode_version": (self.meta.strategic_mode_version, decision.strategic_mode_version),
            "query_plan.domains_selected": (self.query_plan.domains_selected, plan.domains_selected),
            "query_plan.rationale": (self.query_plan.rationale, plan.rationale),
            "query_plan.lab_policy": (self.query_plan.lab_policy, plan.lab_policy),
        }
        for place, (value, source) in pairs.items():
            if value != source:
                raise ContractsDisagree(f"{place} is {value!r}, its source says {source!r}")
