"""Lessons through the API."""

import hashlib
import json
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from accounts.models import Scope, User
from lesson_engine.models import Lesson, LessonVersion
from lesson_engine.services.lessons import lesson_import, lesson_retire
from tests.api.sessions import Program, meta
from tests.conftest import LessonMaker, ask, lesson_data

Queries = Callable[[int], AbstractContextManager[Any]]
WHO = 2
"""1. the token with its user; 2. how often they asked this minute"""


@pytest.fixture
def program(learner: User) -> Program:
    """The learner's program; its token has been used this minute."""
    one = Program(learner)
    one.get("lessons/")
    return one


def test_lessons_are_listed_by_slug_with_what_they_are_about(make_lesson: LessonMaker, program: Program) -> None:
    for slug in ("water", "air", "light"):
        make_lesson(meta=meta(slug))
    answer = program.get("lessons/")
    assert answer.status == 200
    assert [item["slug"] for item in answer.json["items"]] == ["air", "light", "water"]
    assert answer.json["next"] is None
    version = LessonVersion.objects.get(lesson__slug="air")
    assert answer.json["items"][0] == {
        "slug": "air",
        "title": "Air",
        "language": "en",
        "summary": "What plants do with light.",
        "version": 1,
        "sha256": version.sha256,
        "steps": 3,
        "questions": 2,
    }


def test_pages_follow_one_another(make_lesson: LessonMaker, program: Program) -> None:
    for slug in ("water", "air", "light"):
        make_lesson(meta=meta(slug))
    seen, address = [], "lessons/?limit=2"
    while address:
        page = program.get(address).json
        seen.append([item["slug"] for item in page["items"]])
        address = page["next"]
    assert seen == [["air", "light"], ["water"]]


def test_lessons_of_one_language(make_lesson: LessonMaker, photosynthesis: LessonVersion, program: Program) -> None:
    make_lesson()
    for language, slugs in (("en", ["light"]), ("es", ["fotosintesis"]), ("fr", [])):
        answer = program.get(f"lessons/?language={language}")
        assert [item["slug"] for item in answer.json["items"]] == slugs


@pytest.mark.parametrize(
    ("query", "pointer"),
    [("limit=0", "/limit"), ("limit=201", "/limit"), ("language=english", "/language"), ("slug=air", "/slug")],
)
def test_what_a_query_cannot_say_is_refused_where_it_stands(program: Program, query: str, pointer: str) -> None:
    answer = program.get(f"lessons/?{query}")
    assert (answer.status, answer.json["code"]) == (422, "invalid-request")
    assert list(answer.places()) == [pointer]


def test_a_lessons_description(photosynthesis: LessonVersion, program: Program) -> None:
    lesson = program.get("lessons/fotosintesis/").json
    assert lesson["sha256"] == hashlib.sha256(bytes(photosynthesis.source)).hexdigest()
    file = json.loads(bytes(photosynthesis.source))
    assert lesson["objectives"] == file["meta"]["objectives"]
    assert lesson["skills"] == file["meta"]["skills"]
    assert [moment["title"] for moment in lesson["moments"]] == [moment["title"] for moment in file["moments"]]
    assert sum(moment["questions"] for moment in lesson["moments"]) == lesson["questions"]
    assert sum(moment["steps"] for moment in lesson["moments"]) == lesson["steps"]
    assert lesson["attempts"] == 3


def test_a_description_is_sent_again_only_when_it_changed(make_lesson: LessonMaker, program: Program) -> None:
    make_lesson()
    first = program.get("lessons/light/")
    again = program.get("lessons/light/", if_none_match=first.headers["ETag"])
    assert (again.status, again.text, again.headers["ETag"]) == (304, "", first.headers["ETag"])
    make_lesson(ask(question="Why?"))
    newer = program.get("lessons/light/", if_none_match=first.headers["ETag"])
    assert (newer.status, newer.json["version"]) == (200, 2)
    assert newer.headers["ETag"] != first.headers["ETag"]


def test_what_is_not_on_offer_is_not_there(make_lesson: LessonMaker, program: Program) -> None:
    lesson_retire(lesson=make_lesson().lesson)
    for slug in ("light", "nowhere"):
        answer = program.get(f"lessons/{slug}/")
        assert (answer.status, answer.json["code"]) == (404, "lesson-not-found")
    assert program.get("lessons/").json["items"] == []


def test_lessons_need_their_scope(make_lesson: LessonMaker, learner: User) -> None:
    make_lesson()
    other = Program(learner, scopes=(Scope.SESSIONS_READ,))
    for path in ("lessons/", "lessons/light/"):
        assert (other.get(path).status, other.get(path).json["code"]) == (403, "scope-missing")


@pytest.mark.parametrize("lessons", [1, 3])
def test_queries_do_not_grow_with_lessons(
    make_lesson: LessonMaker, program: Program, django_assert_num_queries: Queries, lessons: int
) -> None:
    for number in range(lessons):
        make_lesson(meta=meta(f"light-{number}"))
    with django_assert_num_queries(WHO + 1):  # the lessons with their versions
        program.get("lessons/")
    program.get("lessons/light-0/")  # the file is read once in the life of a process
    with django_assert_num_queries(WHO + 1):
        assert program.get("lessons/light-0/").status == 200


def test_a_lesson_without_moments_of_questions_is_told_as_it_is(program: Program) -> None:
    reading = {"type": "CONTENT", "body": "Light."}
    data = lesson_data(moments=[{"title": "Read", "steps": [reading]}, {"title": "Ask", "steps": [ask()]}])
    lesson_import(source=json.dumps(data).encode())
    moments = program.get("lessons/light/").json["moments"]
    assert [(moment["steps"], moment["questions"]) for moment in moments] == [(1, 0), (1, 1)]
    assert Lesson.objects.count() == 1
