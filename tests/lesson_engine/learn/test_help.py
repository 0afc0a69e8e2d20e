"""Hints, "I don't know", skipping, and replies that cannot be graded."""

from itertools import cycle
from typing import Any

import pytest

from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, Session
from lesson_engine.player.state import AskRecord
from lesson_engine.services.turns import state_of
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Person

CHOICES = [{"code": "a", "text": "Sugar", "correct": True}, {"code": "b", "text": "Salt"}]
KINDS: dict[str, dict[str, Any]] = {
    "open": {"accepted": ["Plants make sugar."]},
    "definition": {"term": "light", "accepted": ["What plants make sugar with."]},
    "list": {"items": [["water"], ["carbon dioxide"]]},
    "procedure": {"steps": [["take in light"], ["make sugar"]]},
    "numeric": {"value": 6, "unit": "kg"},
    "choice": {"choices": CHOICES},
    "multi_choice": {"choices": CHOICES},
}


def record(code: str = "ASK_001") -> AskRecord:
    return state_of(Session.objects.get()).record(code)


def test_hints_come_in_the_authors_order_and_end(at_light: Person) -> None:
    assert "Think of what they take in." not in at_light.page.html
    hints = [at_light.hint().tree.one(class_="hints").text()]
    assert hints == ["Think of what they take in."]
    page = at_light.hint()
    assert [item.text() for item in page.tree.one(class_="hints").find("li")] == [
        "Think of what they take in.",
        "It is stored in fruit.",
    ]
    assert not page.has("hint")
    assert record() == AskRecord(hints=2)


def test_a_hint_that_is_not_there_changes_nothing(at_light: Person) -> None:
    at_light.hint()
    form = at_light.page.form_of(id_="hint")
    at_light.hint()
    version = Session.objects.get().version
    response = at_light.client.post(form.attrs["action"], {"version": version, "key": "one-more"})
    assert response.status_code == 200
    assert (Session.objects.get().version, record().hints) == (version, 2)


@pytest.mark.parametrize("htmx", [False, True])
def test_what_was_typed_stays_beside_a_hint_and_a_change_of_mode(at_light: Person, htmx: bool) -> None:
    if htmx:
        at_light.headers["HX-Request"] = "true"
    for id_, more in (("hint", {}), ("mode", {"mode": "adaptive"})):
        page = at_light.send(at_light.page.form_of(id_=id_), answer="half a <b>thought</b>\nand more", **more)
        assert page.typed.replace("\r", "") == "half a <b>thought</b>\nand more"
        assert "<b>thought" not in page.html


def test_what_was_ticked_stays_beside_a_hint(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson(ask(answer={"kind": "multi_choice", "choices": CHOICES}))
    one = person(at="light", htmx=True)
    one.go_to_question()
    page = one.send(one.page.form_of(id_="hint"), answer=["b"])
    assert page.typed == "b"


@pytest.mark.parametrize(("kind", "language"), [*zip(KINDS, cycle(["en", "es", "fr"]), strict=False)])
def test_i_dont_know_costs_an_attempt_in_every_kind(
    make_lesson: LessonMaker, person: MakePerson, kind: str, language: str
) -> None:
    version = make_lesson(ask(answer={"kind": kind, **KINDS[kind]}), meta=meta(language))
    one = person(at="light", language="es" if language == "en" else "en")
    one.go_to_question()
    for attempts in (1, 2, 3):
        one.dont_know()
        assert (record().attempts, record().blanks) == (attempts, 0)
    assert outline_of(version.pk).lesson.policy.attempts == 3
    assert record().outcome == "shown"
    assert one.page.has("continue")


def meta(language: str) -> dict[str, Any]:
    return {"slug": "light", "title": "Light", "language": language, "summary": "Light.", "objectives": ["Know."]}


@pytest.mark.parametrize("kind", KINDS)
def test_what_cannot_be_graded_costs_an_attempt_the_third_time_only(
    make_lesson: LessonMaker, person: MakePerson, kind: str
) -> None:
    make_lesson(ask(answer={"kind": kind, **KINDS[kind]}))
    one = person(at="light")
    one.go_to_question()
    counted = []
    for _ in range(9):
        one.answer()
        counted.append(record().attempts)
    assert counted == [0, 0, 1, 1, 1, 2, 2, 2, 3]
    assert record().outcome == "shown"


def test_an_attempt_between_blanks_begins_the_count_anew(at_light: Person) -> None:
    for reply in ("", "", "They need it to sleep", "", ""):
        at_light.answer(reply)
    assert record().attempts == 1
    at_light.answer("")
    assert record().attempts == 2


def test_skipping_comes_after_two_attempts_and_shows_the_answer(at_light: Person) -> None:
    assert not at_light.page.has("skip")
    version = Session.objects.get().version
    refused = at_light.client.post(f"{at_light.address}skip/", {"version": version, "key": "too-early"})
    assert refused.status_code == 200
    assert (Session.objects.get().version, record().outcome) == (version, "open")
    at_light.dont_know()
    assert not at_light.page.has("skip")
    at_light.dont_know()
    page = at_light.skip()
    assert "Plants use light to make sugar from water and carbon dioxide." in page.words
    assert page.phase == "closed"
    assert record() == AskRecord(attempts=2, outcome="skipped")


def test_the_mode_can_be_switched_at_any_step_and_says_that_no_model_is_there(
    photosynthesis: LessonVersion, person: MakePerson
) -> None:
    one = person(at="fotosintesis")
    for wanted in ("adaptive", "deterministic", "adaptive"):
        page = one.mode(wanted)
        chosen = [node.attrs["value"] for node in page.tree.one("select", id="mode").nodes if "selected" in node.attrs]
        assert chosen == [wanted]
        assert ("No language model is configured" in page.words) == (wanted == "adaptive")
        one.go_on()
    assert Session.objects.get().mode == "adaptive"


def test_an_unknown_mode_is_refused(at_light: Person) -> None:
    version = Session.objects.get().version
    response = at_light.client.post(f"{at_light.address}mode/", {"version": version, "key": "k", "mode": "psychic"})
    assert response.status_code == 422
    assert Session.objects.get().mode == "deterministic"
