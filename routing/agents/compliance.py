"""What is unsettled in a user's questions on taxes, rules and work, and which risks were found high."""

from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from routing.agents.contracts import Agent, AgentFact, Errand
from routing.agents.record import correction_of, counted, gathered, plan_source, plans_of, standing
from routing.contracts import GovernorDecision
from routing.models import AuditEntry, QueryPlan

_ENTRIES_READ: Final = 50


def gather(errand: Errand) -> list[AgentFact]:
    """Two queries: plans with their decisions, and audit entries of these plans that are no success."""
    rows = plans_of(errand)
    valid = standing(rows)
    return [
        *_risks(valid),
        *counted("flag", ((flag, plan_source(row)) for row in valid for flag in row.flags)),
        *gathered("unclear", (plan_source(row) for row in valid if row.confidence == "low")),
        *gathered("undecided", (plan_source(row) for row in valid if not hasattr(row, "decision"))),
        *counted("corrected", _corrections(rows)),
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


def _corrections(rows: Iterable[QueryPlan]) -> Iterable[tuple[str, str]]:
    for row in rows:
        if (instead := correction_of(row)) is not None:
            yield f"{row.domains[0]} → {instead.domains[0]}", plan_source(row)


def _faults(rows: Iterable[QueryPlan]) -> list[AgentFact]:
    entries = AuditEntry.objects.filter(query_plan__in=[row.pk for row in rows])
    amiss = entries.exclude(status=AuditEntry.Status.SUCCESS).order_by("-timestamp", "-pk")
    found = amiss.values_list("status", "pk")[:_ENTRIES_READ]
    return counted("audit_status", ((status, f"audit_entry:{pk}") for status, pk in found))


AGENT: Final = Agent(
    id="compliance_auditor",
    title=pgettext_lazy("agent", "compliance auditor"),
    domains=("tax", "transition"),
    about=_("What is unsettled in your questions on taxes and work, and which risks were found high."),
    gather=gather,
)
