"""The steps before a start: what they may change of what is there already."""

import pytest

from config.launcher import places, prepare
from lesson_engine.models import Lesson, LessonVersion
from lesson_engine.services.lessons import lesson_import

pytestmark = pytest.mark.django_db


def current() -> LessonVersion:
    version = Lesson.objects.get().current
    assert version is not None
    return version


def published(photosynthesis: LessonVersion) -> LessonVersion:
    """A newer version of the bundled lesson, as staff would upload it."""
    source = places.DEMO_LESSON.read_bytes()
    return lesson_import(source=source.replace(photosynthesis.title.encode(), b"Plantas y luz", 1)).version


def test_the_first_start_imports_the_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    prepare._lesson()
    assert bytes(current().source) == places.DEMO_LESSON.read_bytes()
    assert "Loading the demo lesson ... imported as version 1 (" in capsys.readouterr().out


def test_the_next_start_finds_nothing_new(photosynthesis: LessonVersion, capsys: pytest.CaptureFixture[str]) -> None:
    prepare._lesson()
    assert current() == photosynthesis
    assert "Loading the demo lesson ... nothing new (" in capsys.readouterr().out


def test_a_version_that_staff_published_stays_current(
    photosynthesis: LessonVersion, capsys: pytest.CaptureFixture[str]
) -> None:
    newer = published(photosynthesis)
    prepare._lesson()
    assert current() == newer
    assert "nothing new; version 2, published since, stays current (" in capsys.readouterr().out


def test_a_new_bundled_lesson_is_imported(photosynthesis: LessonVersion, monkeypatch: pytest.MonkeyPatch) -> None:
    class Newer:
        """The bundled file of a later release."""

        @staticmethod
        def read_bytes() -> bytes:
            return DEMO.replace(photosynthesis.title.encode(), b"Plantas y luz", 1)

    monkeypatch.setattr(places, "DEMO_LESSON", Newer)
    prepare._lesson()
    assert (current().number, current().title) == (2, "Plantas y luz")


DEMO = places.DEMO_LESSON.read_bytes()
