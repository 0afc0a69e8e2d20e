"""Why the tutor did what it did, turn by turn, for staff who take a lesson themselves: what `ENGINE_DEBUG` shows.

Names are those of events and settings, so that they can be looked up; nothing that a learner wrote is among them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.formats import number_format

from accounts.staff.access import staff_entered
from gateway.contracts import Budget
from gateway.models import Hold
from gateway.selectors import calls_of
from lesson_engine.contracts import Verdict
from lesson_engine.models import Session, Turn
from lesson_engine.selectors import turns_of
from lesson_engine.timeline.trail import cents, turn_named
from telemetry.contracts import EventName
from telemetry.models import Event
from telemetry.selectors import events_of

TURNS_SHOWN = 5
Facts = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class CallView:
    """A call to a model. `cost` is in cents, empty while it is open; `marks` are what is unusual about it."""

    hold: Hold
    cost: str
    marks: tuple[str, ...]


@dataclass(frozen=True)
class DecisionView:
    """A turn. The others are None or empty where it was no answer, or where nothing of the kind happened.

    `opinion` is what became of the second opinion, and empty where none was asked.
    """

    turn: Turn
    verdict: Verdict | None
    score: str
    command: Facts
    opinion: Facts
    calls: tuple[CallView, ...]


@dataclass(frozen=True)
class DecisionsView:
    """The latest turns, the last one first, and what the account allows now. Amounts are in cents."""

    session: Session
    budget_mode: str
    left: str
    held: str
    escalations: str
    turns: tuple[DecisionView, ...]


def decisions_for(request: HttpRequest, session: Session, budget: Budget) -> DecisionsView | None:
    """For staff who may enter the administration, where the setting is on; None, and no query, for others.

    Three queries, none before the first turn.
    """
    if not (settings.ENGINE_DEBUG and staff_entered(request)):
        return None
    turns = list(turns_of(session).reverse()[:TURNS_SHOWN])
    calls, escalations = _calls(session, turns), _escalations(session, turns)
    return DecisionsView(
        session=session,
        budget_mode=budget.mode.value,
        left=cents(budget.left),
        held=cents(budget.held),
        escalations=f"{budget.escalations_used}/{budget.escalations_limit}",
        turns=tuple(_decision(turn, calls[turn.version], escalations[turn.version]) for turn in turns),
    )


def _decision(turn: Turn, calls: Sequence[Hold], escalations: Sequence[Event]) -> DecisionView:
    verdict = Verdict.model_validate(turn.verdict) if turn.verdict else None
    return DecisionView(
        turn=turn,
        verdict=verdict,
        score=number_format(verdict.score, decimal_pos=2) if verdict else "",
        command=_facts(turn.command or {}),
        opinion=tuple(fact for event in escalations for fact in _facts(event.data)),
        calls=tuple(_call(hold) for hold in calls),
    )


def _call(hold: Hold) -> CallView:
    marks = {
        "escalation": hold.escalation,
        "unverified": hold.unverified,
        f"overrun {cents(hold.overrun)} ¢": hold.overrun > 0,
        f"attempt {hold.attempt}": hold.attempt > 1,
    }
    cost = cents(hold.cost) if hold.cost is not None else ""
    return CallView(hold, cost, tuple(mark for mark, holds in marks.items() if holds))


def _facts(data: Mapping[str, Any]) -> Facts:
    """Names and values as they are stored, but for what the turn itself says."""
    others = {name: value for name, value in data.items() if name not in ("turn", "askCode")}
    return tuple((name, value if isinstance(value, str) else json.dumps(value)) for name, value in others.items())


def _calls(session: Session, turns: Sequence[Turn]) -> dict[int, list[Hold]]:
    """By the version of the turn that they name."""
    calls: dict[int, list[Hold]] = {turn.version: [] for turn in turns}
    for hold in calls_of(str(session.pk), turns[-1].started_at) if turns else ():
        if (version := turn_named(hold.subject, -1)) in calls:
            calls[version].append(hold)
    return calls


def _escalations(session: Session, turns: Sequence[Turn]) -> dict[int, list[Event]]:
    """By version; an escalation belongs to the turn that began last before it."""
    escalations: dict[int, list[Event]] = {turn.version: [] for turn in turns}
    if turns:
        events = events_of(str(session.pk)).filter(event=EventName.ESCALATION_TRIGGERED.value)
        for event in events.filter(timestamp__gte=turns[-1].started_at)[: len(turns) * 2]:
            begun = [turn.version for turn in turns if turn.started_at <= event.timestamp]
            if begun:
                escalations[max(begun)].append(event)
    return escalations
