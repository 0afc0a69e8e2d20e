"""A guest in the middle of a lesson."""

import pytest
from django.test import Client

from tests.conftest import LessonMaker
from tests.lesson_engine.learn.pages import Person

PASSWORD = "correct horse battery"


@pytest.fixture
def guest(client: Client, make_lesson: LessonMaker) -> Person:
    """Somebody without an account, before the first question of the small lesson."""
    make_lesson()
    one = Person(client)
    one.start("light")
    one.go_to_question()
    return one
