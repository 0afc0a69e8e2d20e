"""Pages in the reader's language; lessons in their own."""

import re
from collections.abc import Sequence

import numpy as np
import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import translation
from numpy.typing import NDArray

from accounts.models import User
from lesson_engine.contracts import Ask, Reply
from lesson_engine.grading import grade
from lesson_engine.models import LessonVersion
from tests.conftest import LessonMaker, ask

ENGLISH, SPANISH = "Understand it, in your own words.", "Entiéndelo, con tus propias palabras."
FORMAL = re.compile(r"\b(?:usted|sus?|introdu[zc]c?a|asegúrese|observe|elija|escriba|por favor)\b", re.IGNORECASE)


def home(client: Client, accepted: str = "") -> str:
    headers = {"accept-language": accepted} if accepted else {}
    return text_of(client.get(reverse("lesson_engine:home"), headers=headers))


def text_of(response: object) -> str:
    assert isinstance(response, HttpResponse)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("accepted", "language", "headline"),
    [
        ("en", "en", ENGLISH),
        ("es", "es", SPANISH),
        ("es-MX,es;q=0.9,en;q=0.8", "es", SPANISH),
        ("es-419", "es", SPANISH),
        ("en-GB", "en", ENGLISH),
        ("fr", "en", ENGLISH),
        ("fr,es;q=0.5", "es", SPANISH),
        ("", "en", ENGLISH),
    ],
)
def test_the_home_page_follows_the_browser(client: Client, accepted: str, language: str, headline: str) -> None:
    page = home(client, accepted)
    assert headline in page
    assert f'<html lang="{language}">' in page


@pytest.mark.django_db
def test_a_shared_cache_keeps_the_languages_apart(client: Client) -> None:
    response = client.get(reverse("lesson_engine:home"), headers={"accept-language": "es"})
    assert response["Content-Language"] == "es"
    assert "Accept-Language" in response["Vary"]


@pytest.mark.django_db
def test_the_language_buttons_switch_and_stay(client: Client) -> None:
    assert 'value="es"' in home(client, "en")
    response = client.post(reverse("set_language"), {"language": "es", "next": "/"})
    assert (response.status_code, response["Location"]) == (302, "/")
    assert SPANISH in home(client, "en")
    assert SPANISH in home(client, "en")
    client.post(reverse("set_language"), {"language": "en", "next": "/"})
    assert ENGLISH in home(client, "es")


@pytest.mark.django_db
def test_the_chosen_language_is_marked_and_outlives_the_browser(client: Client) -> None:
    response = client.post(reverse("set_language"), {"language": "es", "next": "/"})
    assert response.cookies["andamio_language"]["max-age"] >= 30 * 24 * 3600
    (current,) = re.findall(r"<button[^>]*aria-current[^>]*>", home(client, "en"))
    assert 'value="es"' in current


@pytest.mark.django_db
def test_an_unknown_language_changes_nothing(client: Client) -> None:
    client.post(reverse("set_language"), {"language": "fr", "next": "/"})
    assert ENGLISH in home(client, "en")


@pytest.mark.parametrize(("accepted", "language"), [("en", "en"), ("es", "es")])
def test_a_lesson_keeps_its_own_language(
    client: Client, photosynthesis: LessonVersion, accepted: str, language: str
) -> None:
    page = home(client, accepted)
    assert f'<html lang="{language}">' in page
    assert f'<span class="card-title" lang="es">{photosynthesis.title}</span>' in page

    page = text_of(client.get(reverse("lesson_engine:lesson", args=["fotosintesis"])))
    assert f'<h1 lang="es">{photosynthesis.title}</h1>' in page


@pytest.mark.parametrize(("accepted", "button"), [("en", "Continue"), ("es", "Continuar")])
def test_the_player_keeps_the_lesson_s_language(
    client: Client, make_lesson: LessonMaker, accepted: str, button: str
) -> None:
    lesson = make_lesson().lesson
    headers = {"accept-language": accepted}
    response = client.post(reverse("lesson_engine:start", args=[lesson.slug]), headers=headers)
    page = text_of(client.get(response["Location"], headers=headers))
    assert re.search(rf'<button[^>]*id="continue"[^>]*>\s*{button}\b', page)
    assert re.search(r'<div class="prose" lang="en"[^>]*>\s*<p>Plants make sugar with light\.</p>', page)


@pytest.mark.django_db
def test_an_error_page_is_translated(client: Client) -> None:
    response = client.get("/lessons/none/", headers={"accept-language": "es"})
    assert response.status_code == 404
    assert "Aquí no hay nada" in response.content.decode()


@pytest.mark.parametrize(
    ("page", "values"),
    [
        ("sign_up", None),
        ("sign_up", {"username": "ana", "password1": "correct horse battery", "password2": "another"}),
        ("sign_up", {"username": "a b", "password1": "12345", "password2": "12345"}),
        ("sign_up", {"username": "beatriz" * 30, "password1": "password", "password2": "password"}),
        ("sign_up", {"username": "beatriz77", "password1": "beatriz77", "password2": "beatriz77"}),
        ("sign_in", {"username": "ana", "password": "wrong"}),
    ],
)
def test_forms_say_tu_as_the_rest_does(client: Client, learner: User, page: str, values: dict[str, str] | None) -> None:
    address, headers = reverse(f"accounts:{page}"), {"accept-language": "es"}
    response = client.post(address, values, headers=headers) if values else client.get(address, headers=headers)
    words = re.sub(r"<[^>]+>", " ", response.content.decode())
    assert not FORMAL.findall(words)
    assert not re.findall(r"\b(?:password|this|your|the)\b", words, re.IGNORECASE)
    if values:
        assert "field-error" in response.content.decode() or 'role="alert"' in response.content.decode()


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_button_for_not_knowing_says_so_to_the_grader(language: str) -> None:
    with translation.override(language):
        words = translation.gettext("I don't know")
    assert words == {"en": "I don't know", "es": "No lo sé"}[language]
    question = Ask.model_validate(ask())
    verdict = grade(question, Reply(text=words), language=language, embed=_no_vectors)
    assert verdict.rule == "attempt.dont_know"


def _no_vectors(texts: Sequence[str]) -> NDArray[np.float32]:
    raise AssertionError("not knowing needs no comparison of meanings")
