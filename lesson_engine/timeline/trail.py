"""What the audit trail of a session says of its turns: costs, second opinions, answers that looked like attacks."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.db.models import Q
from django.utils.formats import localize

from gateway.contracts import MICROCENTS
from lesson_engine.models import QuestionReport, QuestionVoid, Session, Turn
from lesson_engine.selectors import TurnsPage
from lesson_engine.timeline.values import About
from telemetry.contracts import EventName
from telemetry.selectors import events_of

_COSTS = (EventName.BUDGET_USAGE.value, EventName.CHARGE_CORRECTED.value)
_SHOWN = (EventName.ESCALATION_TRIGGERED.value, *_COSTS)
_BOUNDS = (EventName.TURN_START.value, EventName.QUESTION_VOIDED.value, EventName.VERDICT_REVIEWED.value)
"""The event that each turn begins with; it names the turn. A review that made no turn names none, and begins none."""


@dataclass(frozen=True)
class Trail:
    """By the version of the turn, for the turns of one page. Costs are in micro-cents; `spent` is that of all turns.

    `escalations` hold the data of the event of each second opinion that was wanted.
    """

    spent: int
    costs: dict[int, int]
    attacks: frozenset[int]
    escalations: dict[int, dict[str, Any]]


def session_trail(session: Session, page: TurnsPage) -> Trail:
    """Read for a page of turns, in one query.

    An event belongs to the turn that it names, as those of the ledger do, which come while an answer is still being
    judged; otherwise to the turn that began last before it.
    """
    end = page.start + len(page.turns)
    begins = Q(event__in=_BOUNDS, data__turn__gte=page.start, data__turn__lte=end)  # the next one ends the last
    shown_events = Q(event__in=_SHOWN)
    attacks = Q(event=EventName.EVALUATION_RESULT.value, data__attackLike=True)
    events = events_of(str(session.pk)).filter(begins | shown_events | attacks).values_list("event", "data")
    version = -1
    costs = _Costs()
    attacked, escalations = set(), dict[int, dict[str, Any]]()
    for name, data in events:
        if name in _BOUNDS:
            version = int(data["turn"])
        elif name in _COSTS:
            costs.add(data, version)
        elif name == EventName.ESCALATION_TRIGGERED:
            escalations[version] = data
        else:
            attacked.add(version)
    shown = range(page.start, end)
    return Trail(
        spent=sum(costs.by_turn.values()),
        costs={version: cost for version, cost in costs.by_turn.items() if version in shown},
        attacks=frozenset(attacked.intersection(shown)),
        escalations={version: data for version, data in escalations.items() if version in shown},
    )


class _Costs:
    """What the calls of each turn cost, in micro-cents, as staff corrected it where they did."""

    def __init__(self) -> None:
        self.by_turn: dict[int, int] = {}
        self._turns: dict[str, int] = {}

    def add(self, data: dict[str, Any], version: int) -> None:
        """Count a charge, or its correction, for the turn that it names, or else for that of `version`."""
        hold = str(data.get("hold", ""))
        turn = self._turns.setdefault(hold, turn_named(data.get("subject"), version)) if hold else version
        cost = int(data["byMicrocents"] if "byMicrocents" in data else data["costMicrocents"])
        self.by_turn[turn] = self.by_turn.get(turn, 0) + cost


def turn_named(subject: object, otherwise: int) -> int:
    """The version in a subject such as "turn:5"."""
    kind, _colon, version = str(subject or "").partition(":")
    return int(version) if kind == "turn" and version.isascii() and version.isdecimal() else otherwise


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
