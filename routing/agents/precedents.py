"""What a user asked before in the same domains, how it was understood, and what was decided."""

from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from routing.agents.contracts import Agent, AgentFact, Errand
from routing.agents.record import plan_source, plans_of, standing
from routing.models import QueryPlan

_PRECEDENTS: Final = 5


def gather(errand: Errand) -> list[AgentFact]:
    """One query. Of the latest plans those whose domains are most alike; `count` is how many they share."""
    rows = standing(plans_of(errand))
    asked: set[str] = set(errand.domains)
    rows.sort(key=lambda row: -len(asked & set(row.domains)) / len(asked | set(row.domains)))  # the latest stay first
    facts: list[AgentFact] = []
    for row in rows[:_PRECEDENTS]:
        facts += [AgentFact(kind="precedent", text=row.plan["rationale"], count=_shared(row, asked), sources=_of(row))]
        if hasattr(row, "decision"):
            source = f"decision:{row.decision.pk}"
            facts += [AgentFact(kind="decided", text=row.decision.recommendation, sources=(*_of(row), source))]
    return facts


def _shared(row: QueryPlan, asked: set[str]) -> int:
    return len(asked & set(row.domains))


def _of(row: QueryPlan) -> tuple[str, ...]:
    return (plan_source(row),)


AGENT: Final = Agent(
    id="precedent_finder",
    title=pgettext_lazy("agent", "precedent finder"),
    domains=(),
    about=_("What you asked before in the same domains, how it was understood, and what was decided."),
    gather=gather,
)
