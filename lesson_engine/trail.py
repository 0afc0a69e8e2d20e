"""What the audit trail of a session says of its turns: what each cost, and which answers looked like attacks."""

from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Q
from django.utils.formats import localize

from gateway.contracts import MICROCENTS
from lesson_engine.models import QuestionReport, QuestionVoid, Session, Turn
from lesson_engine.selectors import TurnsPage
from lesson_engine.timeline_values import About
from telemetry.contracts import EventName
from telemetry.selectors import events_of

_BOUNDS = (EventName.TURN_START.value, EventName.QUESTION_VOIDED.value, EventName.VERDICT_REVIEWED.value)
"""The event that each turn begins with; it names the turn. A review that made no turn names none, and begins none."""


@dataclass(frozen=True)
class Trail:
    """Costs in micro-cents, by the version of the turn, for the turns of one page; `spent` is that of all turns."""

    spent: int
    costs: dict[int, int]
    attacks: frozenset[int]


def session_trail(session: Session, page: TurnsPage) -> Trail:
    """Read for a page of turns, in one query. An event belongs to the turn that began last before it."""
    end = page.start + len(page.turns)
    begins = Q(event__in=_BOUNDS, data__turn__gte=page.start, data__turn__lte=end)  # the next one ends the last
    costs = Q(event=EventName.BUDGET_USAGE.value)
    attacks = Q(event=EventName.EVALUATION_RESULT.value, data__attackLike=True)
    events = events_of(str(session.pk)).filter(begins | costs | attacks).values_list("event", "data")
    spent, here = 0, -1
    found: dict[int, int] = {}
    attacked = set()
    for name, data in events:
        if name in _BOUNDS:
            here = int(data["turn"])
        elif name == EventName.BUDGET_USAGE:
            spent += int(data["costMicrocents"])
            found[here] = found.get(here, 0) + int(data["costMicrocents"])
        else:
            attacked.add(here)
    shown = range(page.start, end)
    return Trail(
        spent=spent,
        costs={version: cost for version, cost in found.items() if version in shown},
        attacks=frozenset(attacked.intersection(shown)),
    )


def session_questions(session: Session, page: TurnsPage) -> About:
    """The reports and withdrawals that turns of the page are about; a query for each kind that there is."""
    kinds = {turn.kind for turn in page.turns}
    reports = QuestionReport.objects.filter(session=session) if Turn.Kind.REPORT in kinds else ()
    voids = QuestionVoid.objects.filter(lesson_version_id=session.lesson_version_id).select_related("by")
    return About(
        reports={report.ask_code: report for report in reports},
        voids={void.ask_code: void for void in (voids if Turn.Kind.VOID in kinds else ())},
    )


def cents(microcents: int) -> str:
    """Exact, with as many decimals as there are."""
    return localize((Decimal(microcents) / MICROCENTS).normalize() + 0)
