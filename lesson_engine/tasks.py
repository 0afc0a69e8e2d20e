"""Background work of the lesson engine."""

import structlog
from celery import shared_task

from lesson_engine.selectors import turns_abandoned, voids_waiting
from lesson_engine.services.goals import goals_claim, goals_evaluate
from lesson_engine.services.questions import rescoring_nudge
from lesson_engine.services.rescoring import void_work
from lesson_engine.services.turns import turn_take_up
from lesson_engine.services.words import late_words_erase

_log = structlog.get_logger(__name__)


@shared_task
def take_up_turns() -> None:
    """Finish the turns whose worker is gone."""
    for turn in turns_abandoned(limit=200):
        try:
            turn_take_up(turn=turn)
        except Exception:  # one that cannot be finished must not keep the others waiting
            _log.exception("taking up a turn failed", turn=turn.pk)


@shared_task
def rescore_voids() -> None:
    """Take withdrawn questions out of the results of the sessions there are, some sessions at a time."""
    more = False
    for void in voids_waiting(limit=20):
        try:
            more |= void_work(void=void)
        except Exception:  # as above
            _log.exception("re-scoring for a withdrawn question failed", void=void.pk)
    if more:
        rescoring_nudge()


@shared_task
def evaluate_goals() -> None:
    """Evaluate finished sessions against their plans."""
    while claimed := goals_claim(limit=50):
        for goals in claimed:
            try:
                goals_evaluate(goals)
            except Exception:  # as above
                _log.exception("evaluating a session failed", session=goals.session_id)


@shared_task
def erase_late_words() -> None:
    """Erase what came in just as its learner was erased."""
    late_words_erase()
