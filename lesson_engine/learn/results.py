"""How far a session has come, what it came to and what became of its goals, on the page."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from django.utils.translation import gettext as _

from core.pages.markup import FormattedText, formatted
from evaluation.checking.check import criterion_check
from lesson_engine import selectors
from lesson_engine.contracts import Policy
from lesson_engine.models import Session
from lesson_engine.outcomes.expected import expected_answer
from lesson_engine.outcomes.goals import GoalView, goals_ahead, goals_reached, result_of
from lesson_engine.outcomes.results import Results, Review, results_of
from lesson_engine.player.outline import Outline, Place
from lesson_engine.player.state import Outcome, PlayerState
from lesson_engine.selectors.courses import reports_decided
from planning.contracts import SuccessCriterion

MomentState = Literal["done", "current", "ahead"]


@dataclass(frozen=True)
class MomentProgress:
    """A moment with its progress: `percent` of its steps lie behind."""

    title: str
    state: MomentState
    percent: int


def percent_done(outline: Outline, state: PlayerState) -> int:
    """Share of the lesson's steps that lie behind."""
    return 100 if state.phase == "finished" else _percent(state.cursor, len(outline.places))


def moments_progress(outline: Outline, state: PlayerState) -> tuple[MomentProgress, ...]:
    """The lesson's moments, and how far each has come."""
    over = state.phase == "finished"
    current = outline.places[state.cursor].moment
    return tuple(
        _moment_progress(
            title.title, [p for p in outline.places if p.moment == m], state, m - current if not over else -1
        )
        for m, title in enumerate(outline.lesson.moments)
    )


def _moment_progress(title: str, places: list[Place], state: PlayerState, distance: int) -> MomentProgress:
    if distance:
        return MomentProgress(title, "done" if distance < 0 else "ahead", 100 if distance < 0 else 0)
    behind = sum(place.index < state.cursor for place in places)
    return MomentProgress(title, "current", _percent(behind, len(places)))


def _percent(part: int, total: int) -> int:
    return round(100 * part / total)


@dataclass(frozen=True)
class ReviewView:
    """A question to look at again. `expected` is None while it is still open."""

    code: str
    question: FormattedText
    expected: FormattedText | None
    outcome: Outcome
    attempts: int
    reviewed: bool
    reason: str


@dataclass(frozen=True)
class ResultsView:
    """The results with what to review in HTML. `undecided`: how many reported questions wait for a decision."""

    results: Results
    review: tuple[ReviewView, ...]
    undecided: int


def results_view(outline: Outline, state: PlayerState, dismissed: Collection[str] = ()) -> ResultsView:
    """The results of a finished session. `dismissed` are reported questions that staff keep."""
    results = results_of(outline, state)
    language = outline.lesson.meta.language
    review = tuple(review_view(review, language, review.ask.code in dismissed) for review in results.review)
    undecided = sum(item.outcome == "reported" and item.ask.code not in dismissed for item in results.review)
    return ResultsView(results, review, undecided)


def questions_dismissed(session: Session, state: PlayerState) -> frozenset[str]:
    """The learner's reports that staff dismissed, by question. One query, none where nothing was reported."""
    reported = any(record.outcome == "reported" for record in state.asks.values())
    return frozenset(code for _session, code in reports_decided([session])) if reported else frozenset()


def review_view(review: Review, language: str, dismissed: bool) -> ReviewView:
    """A question to look at again, with its answer. `dismissed`: the learner reported it, and staff keep it."""
    decided = _("You reported it. Somebody looked at it, and it stays as it is.")
    attempts = {"attempts": review.attempts}
    accepted = _("Your teacher looked at your answer again and accepted it. It took %(attempts)s attempts.") % attempts
    shown = _("You compared your answer with this one.") if review.compared else _("The answer was shown.")
    reason = {
        "mastered": accepted if review.reviewed else _("It took %(attempts)s attempts.") % attempts,
        "skipped": _("You skipped it."),
        "reported": decided if dismissed else _("You reported it."),
        "missed": _("Your teacher looked at your answer again: it was not quite right."),
    }.get(review.outcome, shown)
    return ReviewView(
        code=review.ask.code,
        question=formatted(review.ask.question),
        expected=formatted(expected_answer(review.ask, language)),
        outcome=review.outcome,
        attempts=review.attempts,
        reviewed=review.reviewed,
        reason=reason,
    )


def goals_planned(policy: Policy) -> tuple[GoalView, ...]:
    """What a lesson's author wants every session to reach. No query."""
    return goals_ahead(_criteria_of(policy))


def goals_shown(session: Session, outline: Outline, state: PlayerState) -> tuple[GoalView, ...]:
    """At the first step one query, at the end one or two, in between none and nothing."""
    if state.phase == "finished" and (checks := selectors.goals_checked(session)) is not None:
        return goals_reached(checks, result_of(outline, state))
    # Where a worker has yet to write down what came of them, it will come to the same.
    return _goals_at(outline, state, lambda: selectors.goals_of(session))


def goals_tried(outline: Outline, state: PlayerState) -> tuple[GoalView, ...]:
    """The same where an author tries a version out: there is no session and no plan. No query."""
    return _goals_at(outline, state, lambda: _criteria_of(outline.lesson.policy))


def _criteria_of(policy: Policy) -> list[SuccessCriterion]:
    return [SuccessCriterion(text=text) for text in policy.success_criteria]


def _goals_at(
    outline: Outline, state: PlayerState, criteria: Callable[[], Sequence[SuccessCriterion]]
) -> tuple[GoalView, ...]:
    if state.phase == "finished":
        result = result_of(outline, state)
        return goals_reached([criterion_check(criterion, result) for criterion in criteria()], result)
    return goals_ahead(criteria()) if state.cursor == 0 and state.phase == "reading" else ()
