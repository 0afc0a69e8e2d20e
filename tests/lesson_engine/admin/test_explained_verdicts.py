"""Staff read in the timeline all that a verdict rests on, while the learner's question is still open."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.learn.pages import parse

ANSWER = {
    "kind": "open",
    "accepted": ["They take in water.", "Through the roots they drink water, through the leaves they take light."],
    "keyword_groups": [["water"], ["leaves", "leaf"]],
}


@pytest.mark.usefixtures("wrong_network")
def test_staff_see_the_reference_and_what_is_missing(desk: Client, learner: User, make_lesson: LessonMaker) -> None:
    walk = Walk(learner, make_lesson(ask(answer=ANSWER))).go_on()
    walk.answer("Through the roots plants drink water <b>every</b> day")
    assert walk.state.phase == "asking"
    page = desk.get(reverse("admin:lesson_engine_session_change", args=[walk.session.pk])).content.decode()
    found = [
        line.text().replace("“ ", "“").replace(" ”", "”") for line in parse(page).one(class_="turn-lines").find("li")
    ]
    assert "No word was found for this idea: “leaves”." in found
    assert f"Compared with accepted answer 2: “{ANSWER['accepted'][1]}”" in found
    assert any(line.startswith("Probabilities: right 0.") for line in found)
    assert "<b>every" not in page
