"""The corpus does nothing through any door: what is text stays text, what is no lesson is refused, nothing is a 5xx."""

import csv
import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.http.response import HttpResponseBase
from django.test import Client

from accounts.models import Role, User
from core.operations.logs import json_formatter
from lesson_engine.models import LearnerText, Lesson, LessonVersion, QuestionReport, Session
from lesson_engine.services.lessons import lesson_import
from tests.access.routes import routes
from tests.api.sessions import Program
from tests.conftest import LessonMaker, ask, lesson_data
from tests.each import each
from tests.hostile.corpus import EVERYTHING, TEXTS, bombs
from tests.hostile.harmless import acting
from tests.lesson_engine.learn.pages import Person

WITHOUT_NUL = {name: text.replace("\0", "") for name, text in TEXTS.items()}
BOMBS = bombs()
UPLOAD = "/admin/lesson_engine/lessonversion/upload/"


def body(response: HttpResponseBase) -> str:
    """The whole text of a response, streamed or not."""
    if response.streaming:
        return b"".join(response).decode()
    return str(getattr(response, "content", b"").decode())


def assert_harmless(response: HttpResponseBase, *, what: object = "") -> None:
    assert response.status_code < 500, what
    if response.headers.get("Content-Type", "").startswith("text/html"):
        assert not acting(body(response)), what


@pytest.fixture
def desk(staff: User) -> Client:
    """The administration, for somebody who may see all of it."""
    browser = Client()
    browser.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    return browser


@pytest.fixture
def at_question(make_lesson: LessonMaker, learner: User, client: Client) -> Person:
    """A learner before an open question of which they have many attempts."""
    make_lesson(ask(), ask("ASK_002"), policy={"attempts": 10})
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    person = Person(client)
    person.start("light")
    person.go_to_question()
    return person


def admin_pages(desk: Client, app: str = "") -> Iterator[tuple[str, HttpResponseBase]]:
    """The lists of the administration, or of one app's, and the pages of what has texts."""
    for route in routes():
        if not route.name.endswith("_changelist") or not route.name.startswith(f"admin:{app}"):
            continue
        address = "/" + route.pattern
        yield address, desk.get(address)
    for session in Session.objects.all():
        yield "session", desk.get(f"/admin/lesson_engine/session/{session.pk}/change/")
    for report in QuestionReport.objects.all():
        yield "report", desk.get(f"/admin/lesson_engine/questionreport/{report.pk}/change/")
    for version in LessonVersion.objects.all():
        for page in ("change", "answers", "preview", "publish"):
            yield page, desk.get(f"/admin/lesson_engine/lessonversion/{version.pk}/{page}/")


def test_answers_and_reports_are_text_for_learner_and_staff(at_question: Person, desk: Client) -> None:
    for name, text in TEXTS.items():
        while not at_question.page.ask:
            if at_question.page.finished:
                at_question.start("light")
            else:
                at_question.go_on()
        response = at_question.client.post(
            f"{at_question.address}answers/",
            {"version": Session.objects.latest("started_at").version, "key": name, "answer": text, "form": "text"},
            follow=True,
        )
        assert_harmless(response, what=name)
        at_question.look()
    for session in Session.objects.filter(status="active"):
        data = {"version": session.version, "key": "report", "kind": "other", "comment": EVERYTHING[:2000]}
        assert_harmless(at_question.client.post(f"/sessions/{session.pk}/report/", data, follow=True))
    assert LearnerText.objects.count() == len(TEXTS)
    assert QuestionReport.objects.exists()
    for where, shown in admin_pages(desk):
        assert_harmless(shown, what=where)


def lesson_of(text: str, name: str) -> dict[str, Any]:
    """A lesson that says the text wherever its author may write freely."""
    line = " ".join(text.split())[:200] or "x"
    question = ask(
        question=text,
        objective=line,
        hints=[text, text + "."],
        answer={"kind": "open", "accepted": ["Plants make sugar.", line]},
        micro_steps=[{"code": "detour", "title": line, "body": text}],
        feedback={"accept": text, "partial": text, "reject": text},
    )
    options = [{"code": "a", "text": line, "correct": True, "feedback": text}, {"code": "b", "text": "no"}]
    pick = ask("ASK_002", question=text, hints=[], micro_steps=[], answer={"kind": "choice", "choices": options})
    lesson = lesson_data(
        question, pick, {"type": "KEY_POINTS", "title": line, "items": [{"title": line, "body": text}]}
    )
    lesson["meta"] |= {"slug": f"hostile-{name}", "title": line, "summary": text, "objectives": [line]}
    lesson["moments"][0]["title"] = line
    lesson["moments"][0]["steps"].insert(0, {"type": "NARRATION", "title": line, "body": text})
    return lesson


WIDEST = next(iter(TEXTS))
LISTS_IN_TURN = 15
"""Each list of the administration meets every so many of the texts; they are all read by the same code of Django's."""


@pytest.mark.parametrize("name", TEXTS)
def test_a_lesson_full_of_it_is_refused_or_shown_as_text(client: Client, desk: Client, name: str) -> None:
    source = json.dumps(lesson_of(TEXTS[name], name.replace(".", "-").replace("_", "-"))).encode()
    upload = desk.post(UPLOAD, {"file": SimpleUploadedFile("lesson.json", source, "application/json")}, follow=True)
    assert_harmless(upload)
    version = LessonVersion.objects.first()
    if version is None:
        assert upload.status_code in (200, 422)
        return
    lesson_import(source=source)
    for address in ("/", f"/lessons/{version.lesson.slug}/", f"/api/v1/lessons/{version.lesson.slug}/"):
        assert_harmless(client.get(address), what=address)
    person = Person(client)
    person.address = client.post(f"/lessons/{version.lesson.slug}/start/").headers["Location"]
    for _ in range(12):
        page = client.get(person.address)
        assert_harmless(page)
        session = Session.objects.get()
        for action in ("continue", "hint", "answers", "answers", "answers"):
            data = {"version": session.version, "key": f"{action}{session.version}", "answer": ["b"], "form": "choices"}
            assert_harmless(client.post(f"{person.address}{action}/", data, follow=True), what=action)
            session.refresh_from_db()
        if session.status == Session.Status.FINISHED:
            break
    # What the lists of other apps show of a lesson is shown of each in the same way.
    for where, shown in admin_pages(desk, "" if name == WIDEST else "lesson_engine"):
        assert_harmless(shown, what=where)


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused_by_every_door_for_lessons(desk: Client, tmp_path: Any, name: str) -> None:
    response = desk.post(UPLOAD, {"file": SimpleUploadedFile(f"{name}.json", BOMBS[name])}, follow=True)
    assert response.status_code in (200, 413, 422), response.status_code
    assert_harmless(response)
    path = tmp_path / "lesson.json"
    path.write_bytes(BOMBS[name])
    for command in ("import_lesson", "validate_lesson", "import_course"):
        with pytest.raises((CommandError, SystemExit)):
            call_command(command, str(path), stdout=io.StringIO(), stderr=io.StringIO())
    assert not Lesson.objects.exists()


@pytest.mark.parametrize("name", ["deep_lists", "deep_objects", "digits", "keys", "nul", "not_utf8", "utf16", "huge"])
def test_a_bomb_is_refused_by_the_api(make_lesson: LessonMaker, learner: User, name: str) -> None:
    make_lesson()
    program = Program(learner)
    send = program.client.post
    response = send("/api/v1/sessions/", BOMBS[name], content_type="application/json")
    assert response.status_code in (400, 413, 422)
    assert response.headers["Content-Type"].startswith("application/problem+json")
    assert not Session.objects.exists()


@pytest.mark.hard
def test_texts_are_text_for_programs(make_lesson: LessonMaker) -> None:
    make_lesson(ask(), policy={"attempts": 10})
    program = Program(User.objects.create_user("inge", role=Role.INTEGRATOR))
    for name, text in TEXTS.items():
        begun = program.post("sessions/", {"lesson": "light", "learner": text[:120]})
        assert begun.status in (201, 422), name
        if begun.status == 422:
            assert "/learner" in begun.places()
            continue
        path = f"sessions/{begun.json['id']}/"
        program.post(f"{path}continue/", {"version": 0})
        answered = program.post(f"{path}answers/", {"version": 1, "text": text})
        assert answered.status in (200, 422), name
        assert program.get("sessions/").status == 200
    for name, text in WITHOUT_NUL.items():
        wrong = program.client.get("/api/v1/sessions/", {"cursor": text, "learner": text, "status": text})
        assert wrong.status_code in (200, 422), name


@pytest.mark.hard
def test_names_are_text(client: Client, desk: Client, learner: User) -> None:
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    for name, text in WITHOUT_NUL.items():
        sign_up = Client().post("/account/sign-up/", {"username": text, "password1": text, "password2": text})
        assert_harmless(sign_up, what=name)
        token = client.post("/account/tokens/new/", {"name": text[:80], "scopes": ["lessons:read"], "days": "1"})
        assert_harmless(token, what=name)
        course = {"slug": "c", "title": text[:300], "language": "en", "summary": text[:1000]}
        management = {"places-TOTAL_FORMS": "0", "places-INITIAL_FORMS": "0"}
        assert_harmless(desk.post("/admin/lesson_engine/course/add/", {**course, **management}, follow=True), what=name)
    assert_harmless(client.get("/account/tokens/"))
    for where, shown in admin_pages(desk):
        assert_harmless(shown, what=where)


@pytest.mark.parametrize("every", [4, pytest.param(1, marks=pytest.mark.hard)])
def test_query_strings_and_headers_are_text(at_question: Person, desk: Client, every: int) -> None:
    """Each page meets every text or, in turn, each `every`-th; each list of the administration one in as many more."""
    pages = ["/", "/account/sign-in/", "/lessons/light/", at_question.address, "/api/docs/", "/problems/not-found/"]
    lists = ["/" + route.pattern for route in routes() if route.name.endswith("_changelist")]
    for number, (name, text) in enumerate(WITHOUT_NUL.items()):
        asked = {
            "next": text,
            "q": text,
            "page": text,
            "p": text,
            "o": text,
            "lesson": text,
            "course": text,
            "mode": text,
        }
        header = text.encode("ascii", "replace").decode().translate(dict.fromkeys((*range(32), 127), " "))
        headers = {
            "Accept-Language": header,
            "User-Agent": header,
            "X-Forwarded-For": header,
            "Referer": header,
            "HX-Target": header,
            "Idempotency-Key": header,
        }
        for address in pages[number % every :: every]:
            assert_harmless(at_question.client.get(address, asked, headers=headers), what=(address, name))
        for address in lists[number % (LISTS_IN_TURN * every) :: LISTS_IN_TURN * every]:
            assert_harmless(desk.get(address, asked, headers=headers, follow=True), what=(address, name))
        assert_harmless(
            Client().post("/account/sign-in/", {"username": text, "password": text, "next": text}), what=name
        )


@pytest.mark.hard
def test_exports_hold_no_formula(learner: User, desk: Client, make_lesson: LessonMaker) -> None:
    make_lesson()
    program = Program(learner)
    walk = program.start("light")
    program.post(f"sessions/{walk.now['id']}/continue/", {"version": 0})
    for version, text in enumerate(WITHOUT_NUL.values(), start=1):
        program.post(f"sessions/{walk.now['id']}/answers/", {"version": version, "text": text})
    exported = desk.post("/admin/exports/", {"form": "csv"})
    assert exported.status_code == 200
    rows = list(csv.reader(io.StringIO(body(exported))))
    assert len(rows) > 3
    assert not [cell for row in rows for cell in row if cell[:1] in "=+-@\t\r" and cell]


@each("name", TEXTS)
def test_a_log_line_stays_one_line(name: str) -> None:
    record = logging.LogRecord("door", logging.WARNING, __file__, 1, "asked for %s", (TEXTS[name],), None)
    line = json_formatter().format(record)
    assert len(line.splitlines()) == 1
    assert line.isascii() or all(character.isprintable() for character in line)
    assert json.loads(line)["event"].startswith("asked for ")
