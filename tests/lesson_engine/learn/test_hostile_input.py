"""What nobody types but somebody sends: nothing breaks, nothing acts, and the learner is never stuck."""

from typing import Any

import pytest

from lesson_engine.models import LearnerText, Session, Turn
from lesson_engine.services.turns import state_of
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Person, fields_of
from tests.lesson_engine.learn.test_help import KINDS

NASTY = {
    "nul": "sugar\0and\0water",
    "only_nul": "\0\0",
    "emoji": "🌱➡️🍬 👩‍🔬",
    "zero_width": "\u200b\u200d\ufeff\u2060",
    "bidi": "\u202egar\u202c",
    "combining": "s" + "\u0301" * 3000,
    "markup": "<script>alert(1)</script><img src=x onerror=alert(1)><b hx-get=/ hx-trigger=load>",
    "template": "{{ settings.SECRET_KEY }}{% debug %}",
    "percent": "%s %(n)s %d 100%",
    "latex": r"$\\href{javascript:alert(1)}{x}$ $$\\frac{1}{0}$$",
    "long": "luz " * 1_000,
    "long_word": "a" * 4_000,
    "lines": "\r\n" * 2_000,
    "digits": "9" * 4_000,
    "exponent": "1e999999999 kg",
    "fraction": "1/0",
    "units": "6 " + "kg*" * 900 + "kg",
    "parentheses": "(" * 3_000,
    "separators": "\u2028\u2029\x0b\x0c\x1c\x85",
    "noncharacter": "\ufffe\uffff\U0010ffff",
}


@pytest.mark.parametrize("kind", KINDS)
def test_no_answer_breaks_a_question(make_lesson: LessonMaker, person: MakePerson, kind: str) -> None:
    make_lesson(ask(answer={"kind": kind, **KINDS[kind]}), policy={"attempts": 10})
    one = person(at="light", htmx=True)
    one.mode("adaptive")
    for name, text in NASTY.items():
        while one.page.has("continue") and not one.page.ask:  # a micro-step, or the reading again
            one.go_on()
        if one.page.finished:
            one = person(at="light", htmx=True)
            one.go_to_question()
        page = one.answer(text)
        assert "moved on" not in page.words, name
        assert not page.tree.find("img", src="x"), name
        assert "<script>alert" not in page.html, name
        assert "<b hx" not in page.html, name
    assert not Turn.objects.filter(state=Turn.State.RUNNING).exists()
    assert Turn.objects.filter(kind="answer").count() == len(NASTY)
    assert not any("\0" in (words.text or "") for words in LearnerText.objects.all())


def multipart(charset: str, fields: dict[str, Any], answer: bytes) -> tuple[bytes, str]:
    parts = [f'--B\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'.encode() for k, v in fields.items()]
    parts.append(b'--B\r\nContent-Disposition: form-data; name="answer"\r\n\r\n' + answer + b"\r\n--B--\r\n")
    return b"".join(parts), f"multipart/form-data; boundary=B; charset={charset}"


@pytest.mark.parametrize(
    ("charset", "answer"),
    [
        ("utf-8", b"half \xed\xa0\x80 and \xff\xfe"),
        ("utf-7", b"half +2AA- pair"),
        ("unicode_escape", rb"half \ud800 pair"),
        ("latin-1", b"sue\xf1o"),
    ],
)
@pytest.mark.parametrize("target", ["answer", "hint"])
def test_half_a_surrogate_pair_is_no_error(at_light: Person, charset: str, answer: bytes, target: str) -> None:
    form = at_light.page.form_of(id_="answer-form" if target == "answer" else "hint")
    data, content_type = multipart(charset, fields_of(form), answer)
    response = at_light.client.generic("POST", form.attrs["action"], data, content_type)  # post() would encode it anew
    assert response.status_code in (200, 302)
    assert at_light.client.get(at_light.address).status_code == 200
    assert Session.objects.get().version == 2


def test_a_key_of_half_a_surrogate_pair_is_no_error(at_light: Person) -> None:
    fields = {**fields_of(at_light.page.tree.one("form", id="answer-form")), "key": "+2AA-"}
    data, content_type = multipart("utf-7", fields, b"They need it to sleep")
    response = at_light.client.generic("POST", f"{at_light.address}answers/", data, content_type)
    assert response.status_code == 302
    assert Session.objects.get().version == 2


@pytest.mark.parametrize("enforce", [False, True])
def test_a_megabyte_is_refused_plainly(at_light: Person, enforce: bool) -> None:
    at_light.client.handler.enforce_csrf_checks = enforce
    fields = fields_of(at_light.page.tree.one("form", id="answer-form"))
    response = at_light.client.post(f"{at_light.address}answers/", {**fields, "answer": "a" * 1_000_001})
    assert response.status_code in (400, 413)
    assert Session.objects.get().version == 1


def test_thousands_of_fields_are_refused_plainly(at_light: Person) -> None:
    fields = fields_of(at_light.page.tree.one("form", id="answer-form"))
    response = at_light.client.post(f"{at_light.address}answers/", {**fields, "answer": ["a"] * 2_000})
    assert response.status_code in (400, 413)
    assert Session.objects.get().version == 1


def test_a_long_answer_is_read_as_far_as_the_field_allows(at_light: Person) -> None:
    at_light.answer("a" * 900_000)
    assert LearnerText.objects.get().text == "a" * 4_000


@pytest.mark.parametrize("choices", [["nowhere"], ["a", "b", "a"], ["\0a"], ["a" * 5_000], ["a"] * 900, [""]])
@pytest.mark.parametrize("kind", ["choice", "multi_choice"])
def test_choices_that_are_not_offered_break_nothing(
    make_lesson: LessonMaker, person: MakePerson, kind: str, choices: list[str]
) -> None:
    make_lesson(ask(answer={"kind": kind, **KINDS[kind]}))
    one = person(at="light", htmx=True)
    one.go_to_question()
    one.answer(*choices)
    assert not Turn.objects.filter(state=Turn.State.RUNNING).exists()
    assert state_of(Session.objects.get()).record("ASK_001").outcome in ("open", "mastered")


@pytest.mark.parametrize("kind", KINDS)
def test_the_form_field_may_say_anything(make_lesson: LessonMaker, person: MakePerson, kind: str) -> None:
    make_lesson(ask(answer={"kind": kind, **KINDS[kind]}), policy={"attempts": 10})
    one = person(at="light")
    one.go_to_question()
    for form in ("text", "choices", "", "nonsense"):
        one.answer("b", form=form)
    assert Turn.objects.filter(kind="answer", state=Turn.State.DONE).count() == 4
