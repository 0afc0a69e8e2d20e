"""People at the demo lesson's page."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from lesson_engine.models import LessonVersion
from tests.conftest import DEMO_LESSON
from tests.lesson_engine.learn.pages import Person
from tests.lesson_engine.network import right_network, unsure_network, wrong_network

__all__ = ("right_network", "unsure_network", "wrong_network")

MakePerson = Callable[..., Person]
Answers = dict[str, dict[str, list[Any]]]


@pytest.fixture
def person(learner: User) -> MakePerson:
    """A browser where the learner is signed in; `at` starts that lesson."""

    def make(*, at: str = "", **kind: Any) -> Person:
        client = Client()
        client.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
        one = Person(client, **kind)
        if at:
            one.start(at)
        return one

    return make


@pytest.fixture
def at_light(make_lesson: Callable[..., LessonVersion], person: MakePerson) -> Person:
    """The learner before the first question of the small lesson, three attempts each."""
    make_lesson()
    one = person(at="light")
    one.go_to_question()
    return one


@pytest.fixture(scope="session")
def answers() -> Answers:
    """Right, partial and wrong answers to each question of the demo lesson, in words that are not in it.

    What is right in words of one's own depends on the grader; there the right ones are the author's.
    """
    path = Path(settings.BASE_DIR) / "tests" / "data" / "fotosintesis_answers.json"
    found: Answers = json.loads(path.read_text())
    for moment in json.loads(DEMO_LESSON.read_text())["moments"]:
        for step in moment["steps"]:
            if step.get("answer", {}).get("kind") in ("open", "definition"):
                found[step["code"]]["right"] = step["answer"]["accepted"]
    return found
