"""Background work of the lesson engine."""

import structlog
from celery import shared_task

from lesson_engine.selectors import turns_abandoned
from lesson_engine.services.turns import turn_take_up

_log = structlog.get_logger(__name__)


@shared_task
def take_up_turns() -> None:
    """Finish the turns whose worker is gone."""
    for turn in turns_abandoned(limit=200):
        try:
            turn_take_up(turn=turn)
        except Exception:  # one that cannot be finished must not keep the others waiting
            _log.exception("taking up a turn failed", turn=turn.pk)
