"""The small JSON form of a course, through its command and at a start."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from config.launcher import places, prepare
from config.launcher.console import Problem
from lesson_engine.errors import CourseRefused
from lesson_engine.lesson_file.course import MAX_BYTES, course_read
from lesson_engine.models import Course
from lesson_engine.services.courses import course_order
from tests.each import each

FILE: dict[str, Any] = {
    "format": "andamio.course/1",
    "slug": "garden",
    "title": "Garden",
    "language": "en",
    "summary": "What grows.",
    "lessons": ["light", "air"],
}


def faults(source: bytes) -> list[str]:
    with pytest.raises(CourseRefused) as refused:
        course_read(source)
    return [str(fault) for fault in refused.value.faults]


def written(**changes: Any) -> bytes:
    return json.dumps({name: value for name, value in {**FILE, **changes}.items() if value is not None}).encode()


def test_a_file_is_read() -> None:
    assert course_read(b"\xef\xbb\xbf" + written()).lessons == ("light", "air")


@each(
    ("changes", "fault"),
    [
        ({"format": "andamio.course/2"}, "format: Input should be 'andamio.course/1'"),
        ({"slug": "Not A Slug"}, "slug: "),
        ({"title": None}, "title: is missing"),
        ({"title": 5}, "title: "),
        ({"language": "fr"}, "language: is none of the languages of the pages: en, es"),
        ({"lessons": []}, "lessons: "),
        ({"lessons": "light"}, "lessons: "),
        ({"lessons": ["light", "no slug"]}, "lessons[1]: "),
        ({"lesson": ["light"]}, "lesson: is no field of a course"),
    ],
)
def test_a_fault_names_its_place(changes: dict[str, Any], fault: str) -> None:
    assert [told for told in faults(written(**changes)) if told.startswith(fault)]


@each(
    ("source", "fault"),
    [
        (b"", "$: Invalid JSON"),
        (b"[]", "$: Input should be an object"),
        (b"{" * 100_000, "$: Invalid JSON"),
        (b'{"format": "andamio.course/1", "title": "\xff"}', "$: the file is not UTF-8 text; byte 41"),
        (b" " * (MAX_BYTES + 1), "$: the file has more than 100,000 bytes"),
    ],
)
def test_what_is_no_course_file_is_refused(source: bytes, fault: str) -> None:
    told = faults(source)
    assert len(told) == 1
    assert told[0].startswith(fault)


def test_a_name_that_stands_twice_is_refused_where_it_stands() -> None:
    assert faults(written().replace(b"{", b'{"title": "Orchard", ', 1)) == ["title: must not stand twice in one object"]


def run(*paths: Path) -> tuple[str, str]:
    out, err = StringIO(), StringIO()
    try:
        call_command("import_course", *map(str, paths), stdout=out, stderr=err)
    except CommandError as error:
        err.write(f"{error}\n")
    return out.getvalue(), err.getvalue()


def test_the_command_imports_each_file_or_says_what_is_wrong(course: Course, tmp_path: Path) -> None:
    good, bad, unknown = (tmp_path / name for name in ("good.json", "bad.json", "unknown.json"))
    good.write_bytes(written())
    bad.write_bytes(written(slug=None, language="fr"))
    unknown.write_bytes(written(slug="other", lessons=["fire"]))
    out, err = run(bad, good, unknown, tmp_path / "nowhere.json")
    assert out == f"{good}: imported as garden, 2 lessons\n"
    assert err.splitlines() == [
        f"{bad}: slug: is missing",
        f"{bad}: language: is none of the languages of the pages: en, es",
        f'{unknown}: lessons[0]: no lesson has the slug "fire"; import it first',
        f"{tmp_path / 'nowhere.json'}: No such file or directory",
        "3 of 4 files refused",
    ]
    assert set(Course.objects.values_list("slug", flat=True)) == {"plants", "garden"}


@pytest.mark.django_db
def test_a_start_brings_the_bundled_courses_and_never_takes_back_what_staff_made_of_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    prepare._lessons()
    prepare._courses()
    files = [course_read(path.read_bytes()) for path in places.bundled_courses()]
    assert len(files) >= 2
    for file in files:
        lessons = Course.objects.get(slug=file.slug).places.order_by("position")
        assert tuple(lessons.values_list("lesson__slug", flat=True)) == file.lessons
    changed = Course.objects.get(slug=files[0].slug)
    Course.objects.filter(pk=changed.pk).update(title="Ours")
    course_order(course=changed, lessons=list(reversed(files[0].lessons)))
    capsys.readouterr()
    prepare._courses()
    changed.refresh_from_db()
    assert changed.title == "Ours"
    assert changed.places.order_by("position").values_list("lesson__slug", flat=True)[0] == files[0].lessons[-1]
    assert "Loading the bundled courses ... nothing new (" in capsys.readouterr().out


@pytest.mark.django_db
def test_a_bundled_course_with_faults_ends_the_start_with_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "garden.json").write_bytes(written())
    monkeypatch.setattr(places, "COURSES", tmp_path)
    with pytest.raises(Problem, match=r"The bundled course in .*garden\.json is refused: lessons\[0\]"):
        prepare._courses()
