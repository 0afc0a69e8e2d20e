"""GovernorDecision v1. Source: spec/related-facts, "Contracts around QueryPlan v1"."""

from typing import Annotated, Literal

from pydantic import Field

from routing.contracts.plan import QueryPlan
from routing.contracts.values import (
    Confidence,
    Diagnosis,
    Different,
    DomainKey,
    Flag,
    Moment,
    Sealed,
    ShortText,
    Text,
    Version,
)
from routing.errors import ContractsDisagree

Recommendation = Literal["execute", "postpone", "reframe", "discard"]
RiskLevel = Literal["low", "medium", "high"]
_ASKS_A_HUMAN = ("labor", "tax", "brand")


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
