"""Agents that read what a user asked before: about the market, what is unsettled, and what is alike."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from routing.agents.contracts import Agent, AgentFact, Errand
from routing.agents.record import correction_of, counted, gathered, plan_source, plans_of, uncorrected
from routing.contracts import GovernorDecision
from routing.models import AuditEntry, QueryPlan

_LATELY: Final = timedelta(days=30)
_ENTRIES_READ: Final = 50
_PRECEDENTS: Final = 5


def _market(errand: Errand) -> list[AgentFact]:
    """How often, lately or before, and what about. One query. Themes and words are the pack's."""
    rows = uncorrected(plans_of(errand))
    lately = [row for row in rows if row.created_at >= errand.before - _LATELY]
    themes = [(label, plan_source(row)) for row in rows if (label := row.reading.get("label"))]
    words = [
        (hit["keyword"], plan_source(row))
        for row in rows
        for hit in row.reading.get("found", ())
        if hit["domain"] in errand.domains
    ]
    others = [(key, plan_source(row)) for row in rows for key in row.domains if key not in errand.domains]
    return [
        *gathered("asked", map(plan_source, rows)),
        *gathered("asked_lately", map(plan_source, lately)),
        *counted("theme", themes),
        *counted("keyword", words),
        *counted("together_with", others),
    ]


def _unsettled(errand: Errand) -> list[AgentFact]:
    """Two queries: plans with their decisions, and audit entries of these plans that are no success."""
    rows = plans_of(errand)
    valid = uncorrected(rows)
    corrections = ((row, correction) for row in rows if (correction := correction_of(row)) is not None)
    return [
        *_risks(valid),
        *counted("flag", ((flag, plan_source(row)) for row in valid for flag in row.flags)),
        *gathered("unclear", (plan_source(row) for row in valid if row.confidence == "low")),
        *gathered("undecided", (plan_source(row) for row in valid if not hasattr(row, "decision"))),
        *counted("corrected", ((f"{row.domains[0]} → {new.domains[0]}", plan_source(row)) for row, new in corrections)),
        *_faults(rows),
    ]


def _risks(rows: Iterable[QueryPlan]) -> list[AgentFact]:
    """Which risks decisions found high, and how many of the decisions wanted a human."""
    high, human = [], []
    for row in rows:
        if hasattr(row, "decision"):
            decision, source = GovernorDecision.model_validate(row.decision.decision), f"decision:{row.decision.pk}"
            high += [(name, source) for name, level in decision.risks.levels.items() if level == "high"]
            human += [source] if decision.asks_a_human else []
    return [*gathered("asks_a_human", human), *counted("high_risk", high)]


def _faults(rows: Iterable[QueryPlan]) -> list[AgentFact]:
    entries = AuditEntry.objects.filter(query_plan__in=[row.pk for row in rows])
    faulty = entries.exclude(status=AuditEntry.Status.SUCCESS).order_by("-timestamp", "-pk")
    statuses = faulty.values_list("status", "pk")[:_ENTRIES_READ]
    return counted("audit_status", ((status, f"audit_entry:{pk}") for status, pk in statuses))


def _precedents(errand: Errand) -> list[AgentFact]:
    """One query. Of the latest plans those whose domains are most alike; `count` is how many they share."""
    rows = uncorrected(plans_of(errand))
    wanted: set[str] = set(errand.domains)
    rows.sort(key=lambda row: -len(wanted & set(row.domains)) / len(wanted | set(row.domains)))  # the latest stay first
    facts: list[AgentFact] = []
    for row in rows[:_PRECEDENTS]:
        sources: tuple[str, ...] = (plan_source(row),)
        shared = len(wanted & set(row.domains))
        facts.append(AgentFact(kind="precedent", text=row.plan["rationale"], count=shared, sources=sources))
        if hasattr(row, "decision"):
            sources = (*sources, f"decision:{row.decision.pk}")
            facts.append(AgentFact(kind="decided", text=row.decision.recommendation, sources=sources))
    return facts


MARKET_ANALYST: Final = Agent(
    id="market_analyst",
    title=pgettext_lazy("agent", "market analyst"),
    domains=("market", "growth"),
    about=_("What you asked about the market and about growing before: how often, and what about."),
    gather=_market,
)
COMPLIANCE_AUDITOR: Final = Agent(
    id="compliance_auditor",
    title=pgettext_lazy("agent", "compliance auditor"),
    domains=("tax", "transition"),
    about=_("What is unsettled in your questions on taxes and work, and which risks were found high."),
    gather=_unsettled,
)
PRECEDENT_FINDER: Final = Agent(
    id="precedent_finder",
    title=pgettext_lazy("agent", "precedent finder"),
    domains=(),
    about=_("What you asked before in the same domains, how it was understood, and what was decided."),
    gather=_precedents,
)
