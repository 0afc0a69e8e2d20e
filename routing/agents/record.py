"""The latest rows of one user, as agents read them; erased ones are left out."""

from collections.abc import Iterable
from typing import Any, Final

from evaluation.contracts import Evaluation
from evaluation.models import Evaluation as EvaluationRow
from evaluation.selectors import evaluation_of
from routing.agents.contracts import AgentFact, Errand
from routing.models import QueryPlan

PLANS_READ: Final = 50
EVALUATIONS_READ: Final = 20
NAMED: Final = 3  # of what is counted, how many are named

Occurrences = Iterable[tuple[str, str]]
"""Texts, each with its source."""


def plans_of(errand: Errand) -> list[QueryPlan]:
    """The user's plans in the domains, the latest first, with decisions and corrections; corrected ones too."""
    rows = QueryPlan.objects.filter(
        question__user_id=errand.user_id,
        question__erased_at=None,
        domains__overlap=list(errand.domains),
        created_at__lt=errand.before,
    )
    return list(rows.select_related("decision", "corrected_by").order_by("-created_at", "-pk")[:PLANS_READ])


def evaluations_of(errand: Errand, **which: Any) -> list[Evaluation]:
    """Evaluations of results of the user's tasks, the latest first, by further conditions. Two queries."""
    rows = EvaluationRow.objects.filter(plan__user_id=errand.user_id, created_at__lt=errand.before, **which)
    latest = rows.prefetch_related("checks").order_by("-created_at", "-pk")[:EVALUATIONS_READ]
    return [evaluation_of(row) for row in latest]


def correction_of(row: QueryPlan) -> QueryPlan | None:
    """The plan that corrects this one; None without a correction."""
    return getattr(row, "corrected_by", None)


def uncorrected(rows: Iterable[QueryPlan]) -> list[QueryPlan]:
    return [row for row in rows if correction_of(row) is None]


def plan_source(row: QueryPlan) -> str:
    """How a fact names a query plan."""
    return f"query_plan:{row.pk}"


def evaluation_source(evaluation: Evaluation) -> str:
    """How a fact names an evaluation."""
    return f"evaluation:{evaluation.id}"


def unmet(evaluations: Iterable[Evaluation]) -> Occurrences:
    """The criteria that were seen to fail, each with its evaluation."""
    for evaluation in evaluations:
        source = evaluation_source(evaluation)
        yield from ((check.criterion, source) for check in evaluation.criteria_met if check.met is False)


def counted(kind: str, occurrences: Occurrences) -> list[AgentFact]:
    """A fact for each of the most frequent texts; equally frequent ones in the order of the alphabet."""
    where: dict[str, list[str]] = {}
    for text, source in occurrences:
        where.setdefault(text, []).append(source)
    most = sorted(where, key=lambda text: (-len(where[text]), text))[:NAMED]
    return [
        AgentFact(kind=kind, text=text, count=len(where[text]), sources=tuple(dict.fromkeys(where[text])))
        for text in most
    ]


def gathered(kind: str, sources: Iterable[str]) -> list[AgentFact]:
    """One fact of how many rows there are; none where there is no row."""
    names = tuple(sources)
    return [AgentFact(kind=kind, count=len(names), sources=names)] if names else []
