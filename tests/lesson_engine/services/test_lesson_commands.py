"""Lesson files in and out on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from lesson_engine.lesson_file.lesson import MAX_BYTES
from lesson_engine.models import Lesson, LessonVersion
from lesson_engine.services.lessons import lesson_import
from tests.conftest import DEMO_LESSON, ask, lesson_data
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db


def written(path: Path, *steps: dict[str, Any], **changes: Any) -> Path:
    path.write_text(json.dumps(lesson_data(*steps, **changes), indent=3) + "\n\n")
    return path


def test_several_files_are_imported_and_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = written(tmp_path / "mine.json")
    call_command("import_lesson", mine, DEMO_LESSON)
    assert capsys.readouterr().out.splitlines() == [
        f"{mine}: imported as version 1 of light",
        f"{DEMO_LESSON}: imported as version 1 of fotosintesis",
    ]
    assert LessonVersion.objects.count() == 2


def test_the_same_bytes_again_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = written(tmp_path / "mine.json")
    call_command("import_lesson", mine, mine)
    assert "is already version 1 of light" in capsys.readouterr().out
    assert LessonVersion.objects.count() == 1


def test_the_old_bytes_again_make_the_old_version_current(tmp_path: Path) -> None:
    old, new = written(tmp_path / "old.json"), written(tmp_path / "new.json", ask())
    for path, number in ((old, 1), (new, 2), (old, 1)):
        call_command("import_lesson", path)
        current = Lesson.objects.get().current
        assert current is not None
        assert current.number == number
    assert LessonVersion.objects.count() == 2


def test_a_bad_file_among_good_ones_is_refused_alone_with_every_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good = written(tmp_path / "good.json")
    bad = written(tmp_path / "bad.json", ask(question=""), ask("ASK_001", answer={"kind": "open", "accepted": []}))
    with pytest.raises(CommandError, match="1 of 3 files refused") as refusal:
        call_command("import_lesson", good, bad, DEMO_LESSON)
    assert refusal.value.returncode == 1
    errors = capsys.readouterr().err.splitlines()
    assert all(line.startswith(f"{bad}: moments[0].steps[") for line in errors)
    assert {line.split(": ")[1] for line in errors} >= {
        "moments[0].steps[1].question",
        "moments[0].steps[2].answer.accepted",
    }
    assert set(Lesson.objects.values_list("slug", flat=True)) == {"light", "fotosintesis"}


def test_what_is_no_file_is_said_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing, empty = tmp_path / "missing.json", tmp_path / "empty.json"
    empty.touch()
    with pytest.raises(CommandError, match="3 of 3 files refused"):
        call_command("import_lesson", missing, tmp_path, empty)
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3
    assert errors[0] == f"{missing}: No such file or directory"
    assert errors[1] == f"{tmp_path}: Is a directory"
    assert errors[2].startswith(f"{empty}: ")


def test_fifty_megabytes_are_refused_without_being_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    big = tmp_path / "big.json"
    with big.open("wb") as file:
        file.truncate(50_000_000)
    with pytest.raises(CommandError):
        call_command("import_lesson", big)
    error = capsys.readouterr().err
    assert len(error.splitlines()) == 1
    assert f"{MAX_BYTES:,}".split(",")[0] in error


def test_export_gives_back_the_same_bytes(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    first, second = written(tmp_path / "1.json"), written(tmp_path / "2.json", ask())
    call_command("import_lesson", first, second, DEMO_LESSON)
    capsysbinary.readouterr()
    for arguments, path in (
        (["light"], second),
        (["light", "--number", "1"], first),
        (["light", "--number", "2"], second),
        (["fotosintesis"], DEMO_LESSON),
    ):
        call_command("export_lesson", *arguments)
        assert capsysbinary.readouterr().out == path.read_bytes()


@pytest.mark.parametrize("arguments", [["nowhere"], ["light", "--number", "2"]])
def test_exporting_what_is_not_there_says_so(tmp_path: Path, arguments: list[str]) -> None:
    call_command("import_lesson", written(tmp_path / "1.json"))
    with pytest.raises(CommandError, match="there is no such version of"):
        call_command("export_lesson", *arguments)


@pytest.mark.django_db(transaction=True)
def test_versions_imported_at_once_are_numbered_without_gaps() -> None:
    sources = [json.dumps(lesson_data(ask(question=f"Question {n}?"))).encode() for n in (0, 0, 1, 1, 2, 3)]
    at_once([lambda source=source: lesson_import(source=source) for source in sources])  # type: ignore[misc]
    assert sorted(LessonVersion.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
    assert Lesson.objects.get().current_id in LessonVersion.objects.values_list("pk", flat=True)
