"""A session as an API value. The rules are the player's and the page's; here they are only put into their fields."""

from collections.abc import Collection, Iterator
from typing import Any

from core.pages.markup import FormattedText, formatted
from gateway.contracts import Budget
from lesson_engine.api.contracts.sessions import (
    Action,
    LastTurn,
    LastVerdict,
    PlannedMove,
    SessionBudget,
    SessionDetail,
    SessionLesson,
    SessionResults,
    SessionSummary,
)
from lesson_engine.contracts import Ask, TopicDeviation
from lesson_engine.explanations import rule_in_words
from lesson_engine.explanations.notices import notice_view
from lesson_engine.learn.results import moments_progress, percent_done, results_view
from lesson_engine.learn.steps import shown_question, shown_step
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Session
from lesson_engine.outcomes.expected import expected_answer
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import Notice, PlayerState
from lesson_engine.player.zones import zone_name
from lesson_engine.selectors import Tried


def session_summary(session: Session) -> SessionSummary:
    """A session in a list, from a row of `selectors.sessions_listed`. No query."""
    return SessionSummary.from_object(session, **_common(session), percent=_percent_in_list(session))


def session_detail(
    session: Session,
    state: PlayerState,
    budget: Budget,
    dismissed: Collection[str] = (),
    *,
    earlier: Tried | None = None,
) -> SessionDetail:
    """Everything that its learner may see now. Needs a session of `selectors.sessions_seen_by`.

    `dismissed` are the questions that the learner reported and of which staff said that they are right; `earlier` is
    the answer to explain where the last turn was no try.
    """
    outline = outline_of(session.lesson_version_id)
    ask = machine.current_ask(outline, state)
    return SessionDetail.from_object(
        session,
        **_common(session),
        phase=state.phase,
        step=shown_step(outline, state, ask),
        question=shown_question(outline, state, ask),
        last_turn=_last_turn(outline, state, earlier),
        can_compare=machine.can_compare(outline, state),
        expected_answer=_expected_answer(outline, state, ask),
        actions=tuple(_actions(outline, state)),
        progress={
            "percent": percent_done(outline, state),
            "place": outline.places[state.cursor].path,
            "moments": moments_progress(outline, state),
        },
        budget=SessionBudget.from_object(
            budget, spent_by_tier={tier.value: cost for tier, cost in budget.by_tier.items()}
        ),
        results=_results(outline, state, dismissed) if state.phase == "finished" else None,
    )


def _expected_answer(outline: Outline, state: PlayerState, ask: Ask | None) -> FormattedText | None:
    """What the learner compares with."""
    if ask is None or state.phase != "comparing":
        return None
    return formatted(expected_answer(ask, outline.lesson.meta.language))


def _common(session: Session) -> dict[str, Any]:
    version = session.lesson_version
    return {
        "lesson": SessionLesson.from_object(version, slug=session.lesson.slug, version=version.number),
        "learner": session.user.pseudonym or None,
        "plan": vars(session)["plan_id"],
    }


def _percent_in_list(session: Session) -> int:
    """As `percent_done`, without the lesson's outline: a list may be of many lessons."""
    if session.status == Session.Status.FINISHED:
        return 100
    cursor: int = getattr(session, "cursor", None) or 0
    return round(100 * cursor / session.lesson_version.steps)


def _last_turn(outline: Outline, state: PlayerState, earlier: Tried | None) -> LastTurn | None:
    notice, view = state.notice, notice_view(outline, state, earlier=earlier)
    if notice is None or view is None:
        return None
    language = outline.lesson.meta.language
    return LastTurn.from_object(
        notice,
        question=notice.ask_code,
        outcome=state.record(notice.ask_code).outcome,
        headline=view.headline,
        verdict=_last_verdict(notice),
        message=formatted(view.text) if view.text else None,
        by_author=view.by_author,
        explanation=tuple(line.text for line in view.lines if not line.own),
        expected=formatted(expected_answer(outline.ask(notice.ask_code), language)) if view.expected else None,
        move=PlannedMove(op=notice.command.op, words=view.move) if notice.command else None,
    )


def _last_verdict(notice: Notice) -> LastVerdict | None:
    verdict, deviation = notice.verdict, notice.deviation or TopicDeviation.ON_TOPIC
    if verdict is None:
        return None
    return LastVerdict.from_object(verdict, words=rule_in_words(verdict), deviation=deviation, zone=zone_name(verdict))


def _actions(outline: Outline, state: PlayerState) -> Iterator[Action]:
    if machine.can_continue(state):
        yield "continue"
    if state.phase == "asking":
        yield "answer"
    if machine.can_hint(outline, state):
        yield "hint"
    if machine.can_skip(outline, state):
        yield "skip"
    if machine.can_compare(outline, state):
        yield "compare"
    if state.phase == "comparing":
        yield "self_assessment"
    if machine.can_report(outline, state):
        yield "report"


def _results(outline: Outline, state: PlayerState, dismissed: Collection[str]) -> SessionResults:
    view = results_view(outline, state, dismissed)
    return SessionResults.from_object(view.results, review=view.review)
