"""A version that was imported once can be played for ever, whatever imports are held to later."""

import hashlib
import json
from collections.abc import Callable

import pytest

from lesson_engine.errors import LessonRefused
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.models import Lesson, LessonVersion, Session
from lesson_engine.services.turns import state_of
from tests.conftest import ask, lesson_data
from tests.lesson_engine.services.conftest import RIGHT, WRONG, answer, fresh

NOWHERE = {"code": "m", "examples": [WRONG], "feedback": "Plants do not sleep.", "goto": "NOWHERE"}


def stored(source: bytes) -> LessonVersion:
    """A version that got in under other rules."""
    lesson = Lesson.objects.create(slug="light")
    version = LessonVersion.objects.create(
        lesson=lesson,
        number=1,
        sha256=hashlib.sha256(source).hexdigest(),
        source=source,
        title="Light",
        language="en",
        summary="What plants do with light.",
        steps=2,
        questions=1,
    )
    lesson.current = version
    lesson.save()
    return version


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
def test_a_stored_version_that_breaks_a_rule_for_imports_is_played(
    db: None, start: Callable[[LessonVersion], Session], mark: bytes
) -> None:
    source = mark + json.dumps(lesson_data(ask(skills=["unknown"], misconceptions=[NOWHERE]))).encode()
    with pytest.raises(LessonRefused):
        lesson_read(source)
    session = start(stored(source))
    answer(session, WRONG)
    answer(session, RIGHT)
    assert state_of(fresh(session)).record("ASK_001").outcome == "mastered"


def test_a_stored_version_may_be_larger_than_imports_may_be(db: None) -> None:
    source = json.dumps(lesson_data()).encode() + b" " * 5_000_000
    with pytest.raises(LessonRefused):
        lesson_read(source)
    assert list(outline_of(stored(source).pk).asks) == ["ASK_001", "ASK_002"]
