"""Lessons and versions: what is in them, and the bytes they came as."""

import hashlib
import json
from typing import Any

from django.test import Client
from django.urls import reverse

from lesson_engine.models import LessonVersion
from lesson_engine.services.lessons import lesson_import
from tests.conftest import DEMO_LESSON, LessonMaker, ask, lesson_data


def version_page(desk: Client, version: LessonVersion) -> str:
    response = desk.get(reverse("admin:lesson_engine_lessonversion_change", args=[version.pk]))
    assert response.status_code == 200
    return response.content.decode()


def test_a_version_shows_its_facts_and_its_steps(desk: Client, photosynthesis: LessonVersion) -> None:
    page = version_page(desk, photosynthesis)
    assert hashlib.sha256(DEMO_LESSON.read_bytes()).hexdigest() in page
    lesson = json.loads(DEMO_LESSON.read_text())
    for moment in lesson["moments"]:
        assert moment["title"] in page
        for step in moment["steps"]:
            assert step.get("code", "") in page
    assert "hints: 3" in page or "hints: 2" in page


def test_the_download_is_the_file_byte_for_byte(desk: Client, photosynthesis: LessonVersion) -> None:
    url = reverse("admin:lesson_engine_lessonversion_file", args=[photosynthesis.pk])
    assert url in version_page(desk, photosynthesis)
    response = desk.get(url)
    assert response.content == DEMO_LESSON.read_bytes()
    name = f"{photosynthesis.lesson.slug}-1.json"
    assert response.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert desk.get(reverse("admin:lesson_engine_lessonversion_file", args=[0])).status_code == 404


def test_a_lesson_lists_its_versions(desk: Client, make_lesson: LessonMaker, django_assert_num_queries: Any) -> None:
    first = make_lesson()
    changed = lesson_data()
    changed["meta"]["title"] = "More light"
    second = lesson_import(source=json.dumps(changed).encode()).version
    url = reverse("admin:lesson_engine_lesson_change", args=[first.lesson_id])
    with django_assert_num_queries(5):  # session, user, lesson, publications, versions
        page = desk.get(url).content.decode()
    for version in (first, second):
        assert reverse("admin:lesson_engine_lessonversion_change", args=[version.pk]) in page
    listed = desk.get(reverse("admin:lesson_engine_lesson_changelist")).content.decode()
    assert "More light" in listed
    assert 'lessonversion/?lesson=light">2<' in listed


def test_hostile_text_of_a_lesson_stays_text(desk: Client, make_lesson: LessonMaker) -> None:
    evil = "<script>alert(1)</script>"
    page = version_page(
        desk, make_lesson(ask(question=evil, objective=evil), meta={**lesson_data()["meta"], "title": evil})
    )
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
