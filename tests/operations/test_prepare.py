"""The steps before a start: what they may change of what is there already."""

from pathlib import Path

import pytest

from accounts.models import User
from config.launcher import places, prepare
from config.launcher.console import Problem
from lesson_engine.models import Lesson, LessonVersion
from lesson_engine.services.lessons import lesson_import, lesson_retire

pytestmark = pytest.mark.django_db


def current() -> LessonVersion:
    version = Lesson.objects.get(slug="fotosintesis").current
    assert version is not None
    return version


def renamed(version: LessonVersion, title: bytes = b"Plantas y luz") -> bytes:
    return places.DEMO_LESSON.read_bytes().replace(version.title.encode(), title, 1)


@pytest.fixture
def only_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a release that comes with the demo lesson alone."""
    monkeypatch.setattr(places, "LESSONS", tmp_path)
    file = tmp_path / "fotosintesis.json"
    file.write_bytes(places.DEMO_LESSON.read_bytes())
    return file


def test_the_first_start_imports_every_bundled_lesson(capsys: pytest.CaptureFixture[str]) -> None:
    files = places.bundled_lessons()
    assert places.DEMO_LESSON in files
    assert len(files) >= 2
    prepare._lessons()
    stored = {lesson.slug: lesson.current for lesson in Lesson.objects.select_related("current")}
    assert {slug: bytes(version.source) for slug, version in stored.items() if version} == {
        file.stem: file.read_bytes() for file in files
    }
    told = "; ".join(f"{file.stem} imported as version 1" for file in files)
    assert f"Loading the bundled lessons ... {told} (" in capsys.readouterr().out


def test_the_next_start_finds_nothing_new(capsys: pytest.CaptureFixture[str]) -> None:
    prepare._lessons()
    capsys.readouterr()
    prepare._lessons()
    assert set(LessonVersion.objects.values_list("number", flat=True)) == {1}
    assert "Loading the bundled lessons ... nothing new (" in capsys.readouterr().out


def test_a_version_that_came_since_stays_current(
    photosynthesis: LessonVersion, only_one: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    newer = lesson_import(source=renamed(photosynthesis)).version
    prepare._lessons()
    assert current() == newer
    assert "fotosintesis nothing new; version 2, published since, stays current (" in capsys.readouterr().out


def test_a_lesson_that_staff_retired_stays_retired(
    photosynthesis: LessonVersion, only_one: Path, staff: User, capsys: pytest.CaptureFixture[str]
) -> None:
    lesson_retire(lesson=photosynthesis.lesson, by=staff)
    prepare._lessons()
    assert Lesson.objects.get().current is None
    assert "fotosintesis nothing new; the lesson is retired (" in capsys.readouterr().out


def test_a_new_bundled_lesson_is_imported(photosynthesis: LessonVersion, only_one: Path) -> None:
    only_one.write_bytes(renamed(photosynthesis))
    prepare._lessons()
    assert (current().number, current().title) == (2, "Plantas y luz")


def test_a_new_bundled_lesson_gives_way_to_what_staff_published(
    photosynthesis: LessonVersion, only_one: Path, staff: User, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = lesson_import(source=renamed(photosynthesis, b"Del profesorado"), by=staff).version
    only_one.write_bytes(renamed(photosynthesis))
    prepare._lessons()
    assert current() == theirs
    assert LessonVersion.objects.count() == 3
    assert "imported as version 3; version 2, published since, stays current (" in capsys.readouterr().out


def test_a_bundled_lesson_with_faults_ends_the_start_with_its_name(only_one: Path) -> None:
    only_one.write_bytes(b"{}")
    with pytest.raises(Problem, match=r"The bundled lesson in .*fotosintesis\.json is refused"):
        prepare._lessons()
