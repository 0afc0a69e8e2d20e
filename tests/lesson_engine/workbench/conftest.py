"""Sessions with answers, and staff who look at them again."""

from django.db.models import QuerySet

from accounts.models import User
from lesson_engine.contracts import VerdictResult
from lesson_engine.models import Session, Turn, VerdictReview
from lesson_engine.services.reviewing import verdict_review
from tests.lesson_engine.admin.conftest import desk
from tests.lesson_engine.services.questions.conftest import (
    RIGHT,
    WRONG,
    Start,
    answer,
    asking,
    events,
    finished,
    fresh,
    go_on,
    key,
    light,
    report,
    start,
    state,
    work,
)

__all__ = (
    "RIGHT",
    "WRONG",
    "Start",
    "answer",
    "asking",
    "desk",
    "events",
    "finished",
    "fresh",
    "go_on",
    "key",
    "light",
    "report",
    "start",
    "state",
    "work",
)


def answers(session: Session, ask_code: str = "ASK_001") -> QuerySet[Turn]:
    """The answers to a question of the session, in order."""
    return Turn.objects.filter(session=session, ask_code=ask_code, kind="answer").order_by("version")


def review(
    session: Session, result: str, by: User, *, at: int = 0, ask_code: str = "ASK_001", note: str = ""
) -> VerdictReview:
    """Say what the answer at this place among those to the question is worth."""
    turn = answers(session, ask_code)[at]
    return verdict_review(turn=turn, result=VerdictResult(result), by=by, note=note).review
