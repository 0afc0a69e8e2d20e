"""Lesson files on the command line: checked without being stored, and imported without taking over."""

import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from lesson_engine.models import Lesson, LessonVersion
from lesson_engine.services.lessons import lesson_import, lesson_retire
from tests.conftest import DEMO_LESSON, ask, lesson_data, number
from tests.lesson_engine.authoring.conftest import source_of
from tests.operations.batch import bare, run

pytestmark = pytest.mark.django_db


@pytest.fixture
def good(tmp_path: Path) -> Path:
    path = tmp_path / "good.json"
    path.write_bytes(source_of())
    return path


def test_good_files_are_counted_and_not_stored(good: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("validate_lesson", good, DEMO_LESSON)
    first, second = capsys.readouterr().out.splitlines()
    assert first == f"{good}: good, 3 steps with 2 questions"
    assert second.startswith(f"{DEMO_LESSON}: good, ")
    assert not Lesson.objects.exists()


def test_every_fault_is_a_line_and_the_exit_code_says_so(
    tmp_path: Path, good: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, empty, missing = tmp_path / "bad.json", tmp_path / "empty.json", tmp_path / "missing.json"
    bad.write_text(json.dumps(lesson_data(ask(question=""), ask("B", difficulty=9))))
    empty.touch()
    with pytest.raises(CommandError, match="4 of 5 files have faults") as refusal:
        call_command("validate_lesson", bad, good, empty, missing, tmp_path)
    assert refusal.value.returncode == 1
    told = capsys.readouterr()
    assert told.out.splitlines() == [f"{good}: good, 3 steps with 2 questions"]
    assert told.err.splitlines() == [
        f'{bad}: moments[0].steps[1].question: String should have at least 1 character, found ""',
        f"{bad}: moments[0].steps[2].difficulty: Input should be less than or equal to 5, found 9",
        f"{empty}: $: the file is empty; a lesson is a JSON object",
        f"{missing}: No such file or directory",
        f"{tmp_path}: Is a directory",
    ]
    assert not LessonVersion.objects.exists()


def test_a_trial_prints_a_line_for_each_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "good.json"
    path.write_bytes(source_of(ask("FEW"), number("NUMBER"), ask("TWO")))
    call_command("validate_lesson", "--trial", path)
    first, *warnings = capsys.readouterr().out.splitlines()
    assert first == f"{path}: good, 4 steps with 3 questions"
    assert "  FEW: There is only 1 accepted answer. Add some until there are four to eight" in "\n".join(warnings)
    assert {line.split(":")[0] for line in warnings} == {"  FEW", "  TWO"}


@pytest.mark.hard
def test_a_trial_needs_no_server_and_starts_none(tmp_path: Path, good: Path) -> None:
    bare_place = tmp_path / "bare"
    bare_place.mkdir()
    ended = run("validate_lesson", "--trial", str(good), source=b"", environment=bare(bare_place))
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert "The misconception “sleep” has one example only." in ended.stdout.decode()
    assert list(bare_place.iterdir()) == []


def test_the_same_files_pass_as_are_imported(good: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_bytes(good.read_bytes()[:-5])
    for command in ("validate_lesson", "import_lesson"):
        with pytest.raises(CommandError, match="1 of 2 files"):
            call_command(command, good, bad)


def test_an_import_can_be_told_to_leave_what_a_person_decided(
    good: Path, author: User, capsys: pytest.CaptureFixture[str]
) -> None:
    mine = lesson_import(source=source_of(ask("MINE")), by=author).version
    call_command("import_lesson", "--give-way", good)
    assert "it stays a draft" in capsys.readouterr().out
    assert Lesson.objects.get().current == mine
    lesson_retire(lesson=mine.lesson, by=author)
    call_command("import_lesson", "--give-way", good)
    assert Lesson.objects.get().current is None
    call_command("import_lesson", good)
    current = Lesson.objects.get().current
    assert current is not None
    assert current.number == 2
