"""SynthesizerOutput v1. Source: spec/related-facts, "Contracts around QueryPlan v1"."""

from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from routing.contracts.decision import GovernorDecision, Recommendation, RiskLevel
from routing.contracts.plan import LabPolicy, QueryPlan
from routing.contracts.values import (
    Confidence,
    Different,
    DomainHint,
    DomainKey,
    Flag,
    FrozenList,
    Mode,
    Moment,
    Rationale,
    Sealed,
    Text,
    Version,
    true_or_false,
)
from routing.errors import ContractsDisagree

WORDS_AT_MOST = 800


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
        said = {
            "meta.recommendation": (self.meta.recommendation, decision.recommendation),
            "meta.risk_summary": (dict(self.meta.risk_summary), decision.risks.levels),
            "meta.mode": (self.meta.mode, plan.mode),
            "meta.domain_hint": (self.meta.domain_hint, plan.domain_hint),
            "meta.strategic_mode_version": (self.meta.strategic_mode_version, decision.strategic_mode_version),
            "query_plan.domains_selected": (self.query_plan.domains_selected, plan.domains_selected),
            "query_plan.rationale": (self.query_plan.rationale, plan.rationale),
            "query_plan.lab_policy": (self.query_plan.lab_policy, plan.lab_policy),
        }
        for place, (here, there) in said.items():
            if here != there:
                raise ContractsDisagree(f"{place} is {here!r}, its source says {there!r}")
