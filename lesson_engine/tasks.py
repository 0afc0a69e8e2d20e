"""Background work of the lesson engine."""

from celery import shared_task

from lesson_engine.selectors import turns_abandoned
from lesson_engine.services.turns import turn_take_up


@shared_task
def take_up_turns() -> None:
    """Finish the turns whose worker is gone."""
    for turn in turns_abandoned(limit=200):
        turn_take_up(turn=turn)
