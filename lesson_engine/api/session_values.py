"""A session as an API value. The rules are the player's and the page's; here they are only put into their fields."""

from collections.abc import Collection, Iterator

from gateway.contracts import Budget
from lesson_engine.api.texts import formatted, offered_choices, shown_micro_step, shown_step
from lesson_engine.api_contracts import (
    Action,
    AskedQuestion,
    LastTurn,
    LastVerdict,
    PlannedMove,
    Progress,
    ProgressMoment,
    ReviewItem,
    SessionBudget,
    SessionDetail,
    SessionLesson,
    SessionResults,
    SessionSpent,
    SessionSummary,
    ShownStep,
    SkillScore,
)
from lesson_engine.catalogue import outline_of
from lesson_engine.contracts import Ask, TopicDeviation, Verdict
from lesson_engine.expected import expected_answer
from lesson_engine.explanations import rule_in_words
from lesson_engine.models import Session
from lesson_engine.notices import NoticeView, notice_view
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import Notice, PlayerState
from lesson_engine.presenter import ask_view
from lesson_engine.rail import percent_done, rail
from lesson_engine.results_view import ReviewView, results_view


def session_summary(session: Session) -> SessionSummary:
    """A session in a list, from a row of `selectors.sessions_listed`. No query."""
    return SessionSummary.model_validate(_common(session) | {"percent": _percent_in_list(session)})


def session_detail(
    session: Session,
    state: PlayerState,
    budget: Budget,
    dismissed: Collection[str] = (),
    *,
    earlier: Verdict | None = None,
) -> SessionDetail:
    """Everything that its learner may see now. Needs a session of `selectors.sessions_seen_by`.

    `dismissed` are the questions that the learner reported and of which staff said that they are right; `earlier` is
    the verdict to explain where the last turn was no try.
    """
    outline = outline_of(session.lesson_version_id)
    ask = machine.current_ask(outline, state)
    return SessionDetail.model_validate(
        _common(session)
        | {
            "phase": state.phase,
            "step": _step(outline, state, ask),
            "question": _question(outline, state, ask) if ask and state.phase in ("asking", "closed") else None,
            "last_turn": _last_turn(outline, state, earlier),
            "actions": tuple(_actions(outline, state)),
            "progress": _progress(outline, state),
            "budget": _budget(budget),
            "results": _results(outline, state, dismissed) if state.phase == "finished" else None,
        }
    )


def _common(session: Session) -> dict[str, object]:
    version = session.lesson_version
    return {
        "id": session.pk,
        "lesson": SessionLesson(
            slug=session.lesson.slug, title=version.title, language=version.language, version=version.number
        ),
        "learner": session.user.pseudonym or None,
        "plan": vars(session)["plan_id"],
        "mode": session.mode,
        "status": session.status,
        "version": session.version,
        "started_at": session.started_at,
        "active_at": session.active_at,
        "finished_at": session.finished_at,
    }


def _percent_in_list(session: Session) -> int:
    """As `percent_done`, without the lesson's outline: a list may be of many lessons."""
    if session.status == Session.Status.FINISHED:
        return 100
    cursor: int = getattr(session, "cursor", None) or 0
    return round(100 * cursor / session.lesson_version.steps)


def _step(outline: Outline, state: PlayerState, ask: Ask | None) -> ShownStep | None:
    if state.phase == "reading":
        return shown_step(outline.places[state.cursor].step)
    micro_steps = ask.micro_steps if ask and state.phase == "micro" else ()
    return next((shown_micro_step(micro) for micro in micro_steps if micro.code == state.micro_step), None)


def _question(outline: Outline, state: PlayerState, ask: Ask) -> AskedQuestion:
    view = ask_view(outline, state, ask)
    return AskedQuestion(
        code=ask.code,
        question=formatted(ask.question),
        kind=ask.answer.kind,
        control=view.control,
        instruction=view.instruction,
        unit=view.unit or None,
        choices=offered_choices(ask),
        hints=tuple(formatted(hint) for hint in ask.hints[: len(view.hints)]),
        hints_left=view.hints_left,
        attempt=view.attempt,
        attempts=view.attempts,
        material=tuple(shown_step(place.step) for place in outline.material(state.cursor)),
        reread=state.reread,
    )


def _last_turn(outline: Outline, state: PlayerState, earlier: Verdict | None) -> LastTurn | None:
    notice, view = state.notice, notice_view(outline, state, earlier=earlier)
    if notice is None or view is None:
        return None
    language = outline.lesson.meta.language
    return LastTurn(
        question=notice.ask_code,
        outcome=state.record(notice.ask_code).outcome,
        reported=notice.reported,
        reviewed=notice.reviewed,
        headline=view.headline,
        verdict=_verdict(notice),
        message=formatted(view.text) if view.text else None,
        by_author=view.by_author,
        explanation=tuple(line.text for line in view.lines if not line.own),
        expected=formatted(expected_answer(outline.ask(notice.ask_code), language)) if view.expected else None,
        move=_move(notice, view),
    )


def _verdict(notice: Notice) -> LastVerdict | None:
    verdict = notice.verdict
    if verdict is None:
        return None
    return LastVerdict(
        result=verdict.result,
        rule=verdict.rule,
        words=rule_in_words(verdict),
        score=verdict.score,
        grader=verdict.grader,
        misconception=verdict.misconception,
        deviation=notice.deviation or TopicDeviation.ON_TOPIC,
    )


def _move(notice: Notice, view: NoticeView) -> PlannedMove | None:
    return PlannedMove(op=notice.command.op, words=view.move) if notice.command else None


def _actions(outline: Outline, state: PlayerState) -> Iterator[Action]:
    if machine.can_continue(state):
        yield "continue"
    if state.phase == "asking":
        yield "answer"
    if machine.can_hint(outline, state):
        yield "hint"
    if machine.can_skip(outline, state):
        yield "skip"
    if machine.can_report(outline, state):
        yield "report"


def _progress(outline: Outline, state: PlayerState) -> Progress:
    return Progress(
        percent=percent_done(outline, state),
        place=outline.places[state.cursor].path,
        moments=tuple(
            ProgressMoment(title=moment.title, state=moment.state, percent=moment.percent)
            for moment in rail(outline, state)
        ),
    )


def _budget(budget: Budget) -> SessionBudget:
    return SessionBudget(
        limit=budget.limit,
        spent=budget.spent,
        held=budget.held,
        left=budget.left,
        escalations_limit=budget.escalations_limit,
        escalations_used=budget.escalations_used,
        mode=budget.mode,
        spent_by_tier=SessionSpent(cheap=budget.spent_cheap, embed=budget.spent_embed, thinker=budget.spent_thinker),
    )


def _results(outline: Outline, state: PlayerState, dismissed: Collection[str]) -> SessionResults:
    view = results_view(outline, state, dismissed)
    results = view.results
    return SessionResults(
        questions=results.questions,
        mastered=results.mastered,
        reported=results.reported,
        missed=results.missed,
        reviewed=results.reviewed,
        voided=results.voided,
        skills=tuple(
            SkillScore(title=skill.title, questions=skill.questions, mastered=skill.mastered, at_once=skill.at_once)
            for skill in results.skills
        ),
        review=tuple(_review(item, outline.lesson.meta.language) for item in view.review),
    )


def _review(item: ReviewView, language: str) -> ReviewItem:
    review = item.review
    return ReviewItem(
        code=review.ask.code,
        question=formatted(review.ask.question),
        expected=formatted(expected_answer(review.ask, language)),
        outcome=review.outcome,
        attempts=review.attempts,
        reviewed=review.reviewed,
        reason=item.reason,
    )
