"""The goals of a session on the page: before it begins, at its first step, and with what came of them at its end."""

from collections.abc import Callable, Sequence

from evaluation.checks import criterion_check
from lesson_engine import selectors
from lesson_engine.contracts import Policy
from lesson_engine.goals import GoalView, goals_ahead, goals_reached, result_of
from lesson_engine.models import Session
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from planning.contracts import SuccessCriterion


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
