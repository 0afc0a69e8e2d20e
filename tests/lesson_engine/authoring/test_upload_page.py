"""The page that takes lessons: what it stores, what it only checks, and what it refuses in plain words."""

import gzip
import hashlib
import io
import json
import zipfile
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from lesson_engine.lesson_file.lesson import MAX_BYTES, MAX_FAULTS
from lesson_engine.models import Lesson, LessonVersion, Publication
from lesson_engine.services.lessons import lesson_import
from telemetry.models import Event
from tests.conftest import ask
from tests.lesson_engine.authoring.conftest import source_of
from tests.lesson_engine.learn.pages import Page
from tests.lesson_engine.lesson_file.build import lesson, text_step

URL = "/admin/lesson_engine/lessonversion/upload/"


def send(desk: Client, source: bytes, *, action: str = "store", name: str = "light.json", **more: Any) -> Page:
    file = SimpleUploadedFile(name, source, content_type="application/json")
    return Page(desk.post(URL, {"file": file, "action": action, **more}, follow=True))


def paste(desk: Client, text: str, *, action: str = "store") -> Page:
    return Page(desk.post(URL, {"text": text, "action": action}, follow=True))


def nothing_stored() -> bool:
    return not (Lesson.objects.exists() or LessonVersion.objects.exists() or Event.objects.exists())


def zipped(source: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("lesson.json", source)
    return file.getvalue()


def test_a_file_becomes_a_draft_byte_for_byte(desk: Client, author: User) -> None:
    source = b"\n" + source_of() + b"\r\n  "
    page = send(desk, source)
    version = LessonVersion.objects.get()
    assert bytes(version.source) == source
    assert version.sha256 == hashlib.sha256(source).hexdigest()
    assert version.uploaded_by == author
    assert not Publication.objects.exists()
    assert "version 1 of light, a draft" in page.words
    assert "Draft: no learner gets it" in page.words


def test_pasted_text_has_plain_line_ends(desk: Client) -> None:
    source = source_of()
    paste(desk, source.decode().replace("\n", "\r\n"))
    assert bytes(LessonVersion.objects.get().source) == source


def test_a_byte_order_mark_is_no_fault(desk: Client) -> None:
    send(desk, b"\xef\xbb\xbf" + source_of())
    assert LessonVersion.objects.count() == 1


def test_checking_shows_what_is_in_it_and_stores_nothing(desk: Client) -> None:
    for page in (
        send(desk, source_of(), action="check"),
        paste(desk, source_of().decode(), action="check"),
        Page(desk.post(URL, {"text": source_of().decode()})),  # whatever was meant by no action at all
    ):
        assert page.status == 200
        assert "No faults. 3 steps with 2 questions." in page.words
        assert "What do plants need light for? (ASK_001)" in page.words
    assert nothing_stored()


def test_bytes_that_are_known_are_named_and_not_stored_again(desk: Client) -> None:
    lesson_import(source=source_of())
    assert "It is version 1 of light, byte for byte." in send(desk, source_of(), action="check").words
    assert "Nothing was stored: this is version 1 of light" in send(desk, source_of()).words
    assert LessonVersion.objects.count() == 1


def test_each_fault_stands_beside_its_piece_of_the_file(desk: Client) -> None:
    source = json.dumps(lesson([ask("1 a", difficulty=9)], policy={"attempts": 0}), indent=2)
    page = paste(desk, source)
    assert page.status == 422
    assert nothing_stored()
    faults = page.tree.find("li", class_="fault")
    assert [fault.one("mark").text() for fault in faults] == ['"code": "1 a"', '"difficulty": 9', '"attempts": 0']
    lines = source.split("\n")
    for fault in faults:
        place = fault.one(class_="fault-place").text()
        number = int(place.split()[1].rstrip(","))
        assert fault.one("mark").text() in lines[number - 1]
    assert [fault.one(class_="fault-path").text() for fault in faults] == [
        "moments[0].steps[0].code",
        "moments[0].steps[0].difficulty",
        "policy.attempts",
    ]
    assert "3 faults. Nothing was stored." in page.words
    assert "".join(str(part) for part in page.tree.one("textarea").parts).strip() == source


def test_of_many_faults_the_first_hundred_are_told(desk: Client) -> None:
    page = send(desk, json.dumps(lesson([ask(f"{n}") for n in range(300)])).encode())
    assert len(page.tree.find("li", class_="fault")) == MAX_FAULTS
    assert "There may be more" in page.words


HOSTILE = {
    "nothing": (b"", "the file is empty"),
    "blank": (b"  \n ", "the file is empty"),
    "a zip archive": (zipped(source_of()), "a zip archive; unpack it first"),
    "a zip bomb": (zipped(b" " * 50_000_000), "a zip archive; unpack it first"),
    "gzip": (gzip.compress(source_of()), "compressed with gzip; unpack it first"),
    "UTF-16": (source_of().decode().encode("utf-16"), "in UTF-16; save it as UTF-8"),
    "UTF-16 without a mark": (source_of().decode().encode("utf-16-le"), "not JSON"),
    "Latin-1": (source_of().replace(b"Light", b"L\xfcz"), "not UTF-8 text; byte"),
    "NUL": (source_of().replace(b"Light", b"L\\u0000"), "control character"),
    "bare NUL": (b"\x00" * 1_000, "not JSON"),
    "deep": (b"[" * 100_000, "nested too deep"),
    "deep and closed": (b'{"format": "andamio.lesson/1", "x": ' + b"[" * 50 + b"]" * 50 + b"}", "nested too deep"),
    "one name twice": (b'{"format": "andamio.lesson/1", "format": "andamio.lesson/1"}', "stands twice"),
    "NaN": (b'{"format": NaN}', "NaN is not a JSON number"),
    "a huge number": (b'{"format": ' + b"9" * 100_000 + b"}", "digits is longer"),
    "a flood": (b'{"format": "andamio.lesson/1", "x": [' + b"0," * 900_000 + b"0]}", "values, the most"),
    "a hundred thousand steps": (
        json.dumps(lesson([text_step("NARRATION", "x")] * 100_000)).encode(),
        "values, the most",
    ),
    "a list": (b"[]", "a lesson is a JSON object"),
    "a picture": (b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20, "not UTF-8 text"),
    "a page": (b"<script>alert(1)</script>", "not JSON"),
    "YAML": (b"a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]", "not JSON"),
    "a byte too many": (b" " * (MAX_BYTES + 1), "more than 5,000,000 bytes"),
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("action", ["check", "store"])
def test_what_is_no_lesson_is_refused_in_plain_words_and_leaves_nothing(desk: Client, name: str, action: str) -> None:
    source, says = HOSTILE[name]
    page = send(desk, source, action=action)
    assert page.status == 422
    assert says in page.words
    assert nothing_stored()
    assert "<script>alert" not in page.html


def test_an_empty_form_is_asked_again(desk: Client) -> None:
    page = Page(desk.post(URL, {"text": "", "action": "store"}))
    assert page.status == 422
    assert "Choose a file, or paste its text." in page.words


def test_hostile_words_of_a_lesson_stay_words(desk: Client) -> None:
    evil = "</textarea><script>alert(1)</script>"
    page = paste(desk, json.dumps(lesson([ask(evil)])))
    assert "<script>alert" not in page.html
    page = send(desk, json.dumps(lesson([ask(question=evil, objective=evil)])).encode(), action="check")
    assert page.status == 200
    assert "<script>alert" not in page.html


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "<script>.json", "x\r\nSet-Cookie: a=b.json", "a" * 5_000, "ñ\x00"]
)
def test_the_name_of_a_file_means_nothing(desk: Client, name: str) -> None:
    page = send(desk, source_of(), name=name)
    assert page.status == 200
    assert LessonVersion.objects.count() == 1
    assert "etc/passwd" not in page.html


def test_only_the_first_of_several_files_counts(desk: Client) -> None:
    files = [SimpleUploadedFile(f"{n}.json", source_of(ask(question=f"Question {n}?"))) for n in range(3)]
    page = Page(desk.post(URL, {"file": files, "action": "store"}, follow=True))
    assert page.status == 200
    assert b"Question 0?" in bytes(LessonVersion.objects.get().source)


def big(size: int) -> bytes:
    body = "x" * 19_900
    value = lesson(*[[text_step(body=body) for _ in range(25)] for _ in range(10)], [ask()])
    source = json.dumps(value).encode()
    assert len(source) < size
    return source + b" " * (size - len(source))


def test_a_file_may_be_as_big_as_a_lesson_though_other_forms_may_not(desk: Client) -> None:
    source = big(MAX_BYTES)
    assert len(source) > 2 * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE or 0)
    send(desk, source)
    assert bytes(LessonVersion.objects.get().source) == source


def test_a_file_far_too_big_is_refused_before_it_is_read(desk: Client) -> None:
    page = send(desk, b" " * (MAX_BYTES * 3))
    assert page.status == 413
    assert "more than 5,000,000 bytes" in page.words
    assert nothing_stored()


def test_too_much_pasted_text_is_told_the_other_way_in(desk: Client) -> None:
    page = paste(desk, big(1_500_000 + 4_000_000 - 500_000).decode())
    assert page.status == 413
    assert "upload the lesson as a file" in page.words
    assert nothing_stored()


def test_a_form_from_elsewhere_is_refused(author: User) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(author, backend="django.contrib.auth.backends.ModelBackend")
    file = SimpleUploadedFile("light.json", source_of())
    assert careful.post(URL, {"file": file, "action": "store"}).status_code == 403
    assert nothing_stored()
    token = Page(careful.get(URL)).tree.one("main").find("input", name="csrfmiddlewaretoken")[0].attrs["value"]
    file.seek(0)
    assert careful.post(URL, {"file": file, "action": "store", "csrfmiddlewaretoken": token}).status_code == 302
    assert LessonVersion.objects.count() == 1


def test_the_page_takes_few_queries(desk: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(4):  # session, user, and the rights of both kinds that the list of pages hangs on
        desk.get(URL)
    with django_assert_num_queries(5):  # and whether these bytes are known
        desk.post(URL, {"text": source_of().decode(), "action": "check"})


def test_its_address_is_the_one_that_pages_lead_to() -> None:
    assert reverse("admin:lesson_engine_lessonversion_upload") == URL
