"""Playing a version without leaving traces: the same player, nothing stored, nothing forged."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.signing import TimestampSigner, b62_encode
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Role, User
from lesson_engine.authoring.preview import LASTS, preview_begin, preview_opened, preview_sealed
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LessonVersion, QuestionVoid
from lesson_engine.services.lessons import lesson_import, lesson_publish, lesson_upload
from tests.conftest import DEMO_LESSON, WRONG, LessonMaker, ask, number
from tests.lesson_engine.authoring.conftest import MakeDraft
from tests.lesson_engine.learn.conftest import Answers, answers
from tests.lesson_engine.learn.pages import Page, Person, fields_of

__all__ = ["answers"]  # the fixture

RIGHT = "Plants use light to make sugar from water and carbon dioxide."


def address(version: LessonVersion) -> str:
    return reverse("admin:lesson_engine_lessonversion_preview", args=[version.pk])


def player(desk: Client, version: LessonVersion, **kind: Any) -> Person:
    """The author at the first step of the preview."""
    one = Person(desk, **kind)
    one.address = address(version)
    one.look()
    return one


def jump(one: Person, step: int) -> Page:
    return one.send(one.page.form_of(id_="jump"), step=str(step))


def row_counts() -> dict[str, int]:
    """How many rows each table of the database has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        union = " UNION ALL ".join(f"SELECT '{table}', count(*) FROM {table}" for table in tables)
        cursor.execute(union)
        return dict(cursor.fetchall())


@pytest.fixture
def draft(make_draft: MakeDraft) -> LessonVersion:
    return make_draft(ask(), number())


@pytest.fixture
def traces(desk: Client, draft: LessonVersion) -> Iterator[None]:
    """Fails when anything is written to the database from here to the end of the test."""
    before = row_counts()
    with CaptureQueriesContext(connection) as captured:
        yield
    writing = ("INSERT", "UPDATE", "DELETE", "TRUNCATE", "SAVEPOINT", "SELECT NEXTVAL")
    assert [query["sql"] for query in captured if query["sql"].lstrip("(").upper().startswith(writing)] == []
    assert captured.captured_queries
    assert row_counts() == before


@pytest.mark.usefixtures("traces")
def test_every_action_works_and_nothing_is_written(draft: LessonVersion, desk: Client) -> None:
    one = player(desk, draft)
    assert "Nothing you do here is stored." in one.page.words
    one.go_on()
    assert one.page.ask == "ASK_001"
    one.hint()
    assert "Think of what they take in." in one.page.words
    one.answer(WRONG)
    assert one.page.attempt == "Attempt 2 of 3"
    one.mode("adaptive")
    one.dont_know()
    assert "The tutor may now step in." in one.page.words
    one.mode("deterministic")
    one.skip()
    assert one.page.phase == "closed"
    one.go_on()
    one.answer("6")
    one.go_on()
    assert one.page.finished
    assert "You answered 1 of 2 questions yourself." in one.page.words


@pytest.mark.usefixtures("traces")
def test_reporting_a_question_files_nothing(draft: LessonVersion, desk: Client) -> None:
    one = player(desk, draft)
    one.go_on()
    one.send(one.page.tree.one("form", id="report-form"), kind="other", comment="x")
    assert one.page.phase == "closed"


@pytest.mark.hard
@pytest.mark.parametrize("htmx", [False, True])
def test_the_whole_demo_lesson_can_be_played(desk: Client, answers: Answers, htmx: bool) -> None:
    version = lesson_upload(source=DEMO_LESSON.read_bytes()).version
    before = row_counts()
    one = player(desk, version, htmx=htmx, language="es")
    one.walk(lambda somebody: somebody.answer(*_right(answers[somebody.page.ask])))
    assert row_counts() == before
    assert one.page.finished


def _right(known: dict[str, list[Any]]) -> list[str]:
    first = known["right"][0] if "right" in known else next(iter(known.values()))[0]
    return first if isinstance(first, list) else [first]


def act(one: Person, what: str) -> None:
    match what:
        case "a hint":
            one.hint()
        case "adaptive":
            one.mode("adaptive")
        case _:
            one.answer(what)
    while one.page.has("continue"):
        one.go_on()


def seen(one: Person) -> list[list[str]]:
    """The words of the step, of what the tutor says and of the progress."""
    parts = [*one.page.tree.find("article"), *one.page.tree.find(class_="notice"), *one.page.tree.find("nav")]
    return [part.text().split() for part in parts]


def test_it_is_the_page_that_learners_get(make_lesson: LessonMaker, desk: Client, learner: User) -> None:
    version = make_lesson(ask(), number())
    browser = Client()
    browser.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    session, tried = Person(browser), player(desk, version)
    session.start("light")
    assert seen(session) == seen(tried)
    session.go_on()
    tried.go_on()
    for what in ("They have batteries", "a hint", "adaptive", "sugar from the ground", "the moon", RIGHT, "5"):
        act(session, what)
        act(tried, what)
        assert seen(session) == seen(tried)
        assert session.page.ask == tried.page.ask


def test_an_author_may_jump_to_any_step(make_draft: MakeDraft, desk: Client) -> None:
    version = make_draft(ask("A"), ask("B"), {"type": "CASE", "body": "A case."}, ask("C"))
    one = player(desk, version)
    listed = [option.text() for option in one.page.tree.one("select", id="jump").find("option")]
    assert listed == ["1. Reading: Light", "2. Question: A", "3. Question: B", "4. Case: A case.", "5. Question: C"]
    assert jump(one, 2).ask == "B"
    one.answer(RIGHT)
    assert one.page.phase == "closed"
    assert jump(one, 2).ask == "B"
    assert one.page.attempt == "Attempt 1 of 3"
    assert jump(one, 4).ask == "C"
    one.answer(RIGHT)
    one.go_on()
    assert one.page.finished
    assert jump(one, 0).step == "moments[0].steps[0]"
    for nowhere in ("5", "-1", "x", "", "9" * 5_000):
        page = one.send(one.page.form_of(id_="jump"), step=nowhere)
        assert page.step == "moments[0].steps[0]"
        assert "was not counted" in page.words


def test_any_version_can_be_played(make_draft: MakeDraft, desk: Client) -> None:
    first, second = make_draft(), make_draft(ask("NEW"))
    for version in (first, second):
        lesson_publish(version=version)
        assert f"Version {version.number} of light" in player(desk, version).page.words


class _Earlier(TimestampSigner):
    """Signs as if a working day had passed since."""

    def timestamp(self) -> str:
        return b62_encode(int(time.time() - LASTS.total_seconds() - 60))


def forged(sealed: str) -> Iterator[str]:
    yield ""
    yield "x"
    yield sealed[:-1] + ("a" if sealed[-1] != "a" else "b")
    yield "x" + sealed[1:]
    yield sealed * 2
    yield json.dumps({"state": {"cursor": 5}})
    yield TimestampSigner(salt="something else").sign_object({"cursor": 1}, compress=True)
    yield TimestampSigner(salt="lesson_engine.preview").sign_object({"version_id": 1}, compress=True)


def test_what_was_not_given_by_us_begins_anew(make_draft: MakeDraft, desk: Client, author: User) -> None:
    draft, other = make_draft(), make_draft(ask("OTHER"))
    one = player(desk, draft)
    one.go_on()
    form = one.page.tree.one("form", id="answer-form")
    sent = {**fields_of(form), "answer": "I don't know"}
    outline = outline_of(draft.pk)
    of_somebody = preview_begin(outline, version_id=draft.pk, author_id=author.pk + 1)
    of_another = preview_begin(outline_of(other.pk), version_id=other.pk, author_id=author.pk)
    data = preview_begin(outline, version_id=draft.pk, author_id=author.pk).model_dump(mode="json")
    late = _Earlier(salt="lesson_engine.preview").sign_object(data, compress=True)
    for state in (*forged(sent["state"]), preview_sealed(of_somebody), preview_sealed(of_another), late):
        for headers in ({}, {"HX-Request": "true"}):
            page = Page(desk.post(form.attrs["action"], {**sent, "state": state}, headers=headers))
            assert page.status == 200
            assert "This preview begins anew." in page.words
            assert page.step == "moments[0].steps[0]"
    assert Page(desk.post(form.attrs["action"], sent)).attempt == "Attempt 2 of 3"


def test_a_preview_is_nobody_elses(draft: LessonVersion, desk: Client) -> None:
    one = player(desk, draft)
    one.go_on()
    form = one.page.tree.one("form", id="answer-form")
    colleague = Client()
    user = User.objects.create_user("otto", role=Role.STAFF, is_staff=True)
    colleague.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    page = Page(colleague.post(form.attrs["action"], {**fields_of(form), "answer": RIGHT}))
    assert "This preview begins anew." in page.words


def test_where_an_author_stands_survives_the_way_through_the_page(draft: LessonVersion, author: User) -> None:
    preview = preview_begin(outline_of(draft.pk), version_id=draft.pk, author_id=author.pk)
    assert preview_opened(preview_sealed(preview), version_id=draft.pk, author_id=author.pk) == preview


def test_an_action_that_the_page_does_not_offer_changes_nothing(draft: LessonVersion, desk: Client) -> None:
    one = player(desk, draft)
    sent = fields_of(one.page.form_of(id_="continue"))
    for action, more in (
        ("answers", {"answer": RIGHT}),
        ("hint", {}),
        ("skip", {}),
        ("report", {}),
        ("mode", {"mode": "telepathic"}),
    ):
        page = Page(desk.post(f"{address(draft)}{action}/", {**sent, **more}))
        assert "was not counted" in page.words
        assert page.step == "moments[0].steps[0]"


def test_the_address_of_an_action_leads_to_the_beginning(draft: LessonVersion, desk: Client) -> None:
    response = desk.get(f"{address(draft)}answers/")
    assert (response.status_code, response["Location"]) == (302, address(draft))


@pytest.mark.hard
def test_what_the_form_brings_stays_small(desk: Client) -> None:
    version = lesson_import(source=DEMO_LESSON.read_bytes()).version
    one = player(desk, version)
    one.walk(lambda somebody: somebody.dont_know())
    sealed = fields_of(one.page.form_of(id_="jump"))["state"]
    assert len(sealed) < 4_000


def test_the_expected_answer_is_not_in_the_page_before_it_is_shown(draft: LessonVersion, desk: Client) -> None:
    one = player(desk, draft)
    one.go_on()
    assert "carbon dioxide" not in one.page.html
    one.answer("They have batteries")
    assert "carbon dioxide" not in one.page.html


def test_changing_the_language_leads_back_to_the_preview(draft: LessonVersion, desk: Client) -> None:
    one = player(desk, draft)
    one.go_on()
    form = one.page.tree.one("form", class_="language")
    assert form.find("input", name="next")[0].attrs["value"] == address(draft)


def test_a_step_of_a_preview_asks_for_the_version_alone(
    draft: LessonVersion, desk: Client, django_assert_num_queries: Any
) -> None:
    one = player(desk, draft)
    one.go_on()
    form = one.page.tree.one("form", id="answer-form")
    sent = {**fields_of(form), "answer": "sugar"}
    with django_assert_num_queries(4):  # session, user, version; and at the beginning, what was withdrawn
        desk.get(address(draft))
    with django_assert_num_queries(3):
        desk.post(form.attrs["action"], sent)


def test_a_question_that_was_withdrawn_is_not_asked(make_lesson: LessonMaker, desk: Client, author: User) -> None:
    version = make_lesson(ask("GONE"), ask("STAYS"))
    QuestionVoid.objects.create(
        lesson_version=version, ask_code="GONE", reason="wrong", by=author, at=timezone.now(), state="done"
    )
    one = player(desk, version)
    one.go_on()
    assert one.page.ask == "STAYS"
    assert jump(one, 1).ask == "GONE"  # whoever asks for it can see why
