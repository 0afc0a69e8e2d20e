"""Sessions with answers of which the grader is not sure, and learners who compare them."""

import pytest

from lesson_engine.models import Session
from lesson_engine.player.state import OwnWord
from lesson_engine.services import turns
from tests.lesson_engine.learn.conftest import person
from tests.lesson_engine.unsure import make_unsure
from tests.lesson_engine.workbench.conftest import answer, asking, desk, fresh, key, light, start

__all__ = ("asking", "compare", "desk", "light", "person", "say", "start", "unsure_answer")

ODD = "It is what lets them cook for themselves"


def unsure_answer(session: Session, text: str = ODD) -> Session:
    """Answer what the session asks; the grader is not sure."""
    answer(session, text)
    return make_unsure(fresh(session))


def compare(session: Session) -> Session:
    now = fresh(session)
    return turns.session_compare(session=now, version=now.version, key=key())


def say(session: Session, word: OwnWord) -> Session:
    """The learner's own word on what they compare."""
    now = fresh(session)
    return turns.session_self_assess(session=now, version=now.version, key=key(), word=word)


@pytest.fixture
def comparing(asking: Session) -> Session:
    """Somebody whose two answers to the first question are not understood."""
    unsure_answer(asking, "Well, food")
    return unsure_answer(asking)
