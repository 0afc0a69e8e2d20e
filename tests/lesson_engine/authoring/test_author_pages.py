"""Publishing, retiring, comparing and the numbers, in the browser: who may, what happens, what it says."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import Role, User
from accounts.services import guest_create
from lesson_engine.models import Lesson, LessonVersion, Publication
from lesson_engine.services.lessons import lesson_publish, lesson_retire
from tests.conftest import LessonMaker, ask, lesson_data, number
from tests.lesson_engine.admin.conftest import Walk
from tests.lesson_engine.authoring.conftest import MakeDraft
from tests.lesson_engine.learn.pages import Page


def url(name: str, pk: int) -> str:
    model = "lesson" if name in ("retire", "compare", "lesson_answers") else "lessonversion"
    return reverse(f"admin:lesson_engine_{model}_{name.removeprefix('lesson_')}", args=[pk])


def version_page(version: LessonVersion) -> str:
    return reverse("admin:lesson_engine_lessonversion_change", args=[version.pk])


def lesson_page(version: LessonVersion) -> str:
    return reverse("admin:lesson_engine_lesson_change", args=[version.lesson_id])


def page_of(desk: Client, address: str, **query: str) -> Page:
    response = desk.get(address, query)
    assert response.status_code == 200, address
    return Page(response)


def every_address(version: LessonVersion) -> list[str]:
    of_lesson = [url(name, version.lesson_id) for name in ("retire", "compare", "lesson_answers")]
    of_version = [url(name, version.pk) for name in ("publish", "answers", "preview", "trial")]
    of_question = reverse("admin:lesson_engine_lessonversion_question_trial", args=[version.pk, "ASK_001"])
    actions = ("answers", "continue", "hint", "skip", "report", "mode", "jump")
    acting = [f"{url('preview', version.pk)}{action}/" for action in actions]
    return [reverse("admin:lesson_engine_lessonversion_upload"), *of_lesson, *of_version, of_question, *acting]


@pytest.mark.parametrize("who", ["nobody", "guest", "learner", "integrator"])
def test_nobody_but_staff_comes_in(make_draft: MakeDraft, learner: User, client: Client, who: str) -> None:
    version = make_draft()
    before = Publication.objects.count()
    users: dict[str, Callable[[], User]] = {
        "guest": guest_create,
        "learner": lambda: learner,
        "integrator": lambda: User.objects.create_user("ines", role=Role.INTEGRATOR),
    }
    if who in users:
        client.force_login(users[who](), backend="django.contrib.auth.backends.ModelBackend")
    for address in every_address(version):
        for response in (client.get(address), client.post(address)):
            assert response.status_code == (403 if who in ("learner", "integrator") else 302), address
            if response.status_code == 302:
                assert response["Location"].startswith("/account/sign-in/")
            assert b"What do plants need light for" not in response.content
    assert Publication.objects.count() == before


def test_looking_changes_nothing_and_what_is_not_there_is_said(make_draft: MakeDraft, desk: Client) -> None:
    version = make_draft()
    for address in every_address(version):
        assert desk.get(address).status_code in (200, 302), address
        assert desk.get(re.sub(r"/\d+/", "/999/", address)).status_code in (404, 302) or "/upload/" in address
    assert not Publication.objects.exists()
    assert desk.post(f"{url('preview', version.pk)}nowhere/").status_code == 404
    assert desk.delete(url("publish", version.pk)).status_code == 405


def test_a_form_from_elsewhere_changes_nothing(make_draft: MakeDraft, author: User) -> None:
    careful = Client(enforce_csrf_checks=True)
    careful.force_login(author, backend="django.contrib.auth.backends.ModelBackend")
    version = make_draft()
    for address in (url("publish", version.pk), url("retire", version.lesson_id)):
        assert careful.post(address).status_code == 403
    assert not Publication.objects.exists()


def test_publishing_asks_first_and_says_what_it_means(
    make_lesson: LessonMaker, make_draft: MakeDraft, desk: Client, author: User, learner: User
) -> None:
    old = make_lesson()
    Walk(learner, old)
    new = make_draft(ask())
    asked = page_of(desk, url("publish", new.pk))
    assert "Learners get version 1 now." in asked.words
    assert "1 session is under way: it stays on the version it began with." in asked.words
    done = Page(desk.post(url("publish", new.pk), follow=True))
    assert "Version 2 of light is what learners get now." in done.words
    assert "Learners get this version" in done.words
    row = Publication.objects.latest("pk")
    assert (row.version, row.by) == (new, author)
    again = Page(desk.post(url("publish", new.pk), follow=True))
    assert "was published already" in again.words
    assert not page_of(desk, url("publish", new.pk)).tree.find("button", class_="default")


@pytest.mark.parametrize("action", ["publish", "retire"])
def test_what_was_decided_over_another_state_of_the_lesson_is_asked_again(
    make_lesson: LessonMaker, make_draft: MakeDraft, desk: Client, author: User, action: str
) -> None:
    first, second, third = make_lesson(), make_draft(ask()), make_draft(number())
    address = url(action, third.pk if action == "publish" else first.lesson_id)
    seen = page_of(desk, address).tree.one("input", name="seen").attrs["value"]
    lesson_publish(version=second, by=author)  # a colleague, meanwhile
    refused = Page(desk.post(address, {"seen": seen}, follow=True))
    assert "Somebody else has published or retired this lesson since. Nothing was done." in refused.words
    first.lesson.refresh_from_db()
    assert first.lesson.current_id == second.pk
    now = refused.tree.one("input", name="seen").attrs["value"]
    assert (seen, now) == ("1", "2")
    desk.post(address, {"seen": now})
    first.lesson.refresh_from_db()
    assert first.lesson.current_id == (third.pk if action == "publish" else None)


def test_retiring_asks_first_and_can_be_taken_back(
    make_lesson: LessonMaker, desk: Client, client: Client, learner: User
) -> None:
    version = make_lesson()
    session = Walk(learner, version).session
    asked = page_of(desk, url("retire", version.lesson_id))
    assert "1 session is under way: it goes on to its end." in asked.words
    done = Page(desk.post(url("retire", version.lesson_id), follow=True))
    assert "The lesson light is retired" in done.words
    assert "vera retired the lesson." in done.words
    reader = Client()
    assert "/lessons/light/" not in reader.get("/").content.decode()
    assert reader.get("/lessons/light/").status_code == 404
    assert reader.post("/lessons/light/start/").status_code == 404
    assert not User.objects.filter(is_guest=True).exists()
    reader.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    for response in (reader.get("/lessons/light/"), reader.post("/lessons/light/start/")):
        assert response["Location"] == f"/sessions/{session.pk}/"
    assert reader.get(f"/sessions/{session.pk}/").status_code == 200
    desk.post(url("publish", version.pk))
    assert Client().get("/lessons/light/").status_code == 200


def test_pages_say_where_a_version_stands_and_who_did_what(make_draft: MakeDraft, desk: Client, author: User) -> None:
    first, second, third = make_draft(), make_draft(ask()), make_draft(number())
    lesson_publish(version=first)
    lesson_publish(version=second, by=author)
    assert "Learners got this version once" in page_of(desk, version_page(first)).words
    assert "A command published version 1." in page_of(desk, version_page(first)).words
    assert "vera published version 2." in page_of(desk, version_page(second)).words
    assert "never published" in page_of(desk, version_page(third)).words
    listed = page_of(desk, reverse("admin:lesson_engine_lessonversion_changelist"))
    assert [cell.text() for cell in listed.tree.find("td", class_="field-state")] == ["draft", "current", "former"]
    lesson = page_of(desk, lesson_page(first))
    assert "version 2 is published" in lesson.words
    rows = lesson.tree.one(class_="publications").find("li")
    assert ["version 2" in rows[0].text(), "version 1" in rows[1].text()] == [True, True]


def test_lessons_say_whether_anybody_can_begin_them(make_draft: MakeDraft, desk: Client) -> None:
    metas = [{**lesson_data()["meta"], "slug": slug} for slug in ("a-draft", "b-published", "c-retired")]
    _, published, retired = (make_draft(meta=meta) for meta in metas)
    for version in (published, retired):
        lesson_publish(version=version)
    lesson_retire(lesson=retired.lesson)
    listed = page_of(desk, reverse("admin:lesson_engine_lesson_changelist"))
    states = [cell.text() for cell in listed.tree.find("td", class_="field-state")]
    assert states == ["only drafts", "version 1 is published", "retired"]


def test_two_versions_are_compared_in_words(make_draft: MakeDraft, desk: Client) -> None:
    first = make_draft(ask("A"), ask("B"), ask("C"))
    make_draft(ask("C"), ask("A", difficulty=5), ask("D"))
    page = page_of(desk, url("compare", first.lesson_id), old="1", new="2")
    assert "Steps added: 1; removed: 1; changed: 1; moved: 1; as they were: 1." in page.words
    changes = [change.one("h3").text() for change in page.tree.find("article", class_="change")]
    assert changes == ["moved 2. Question C", "changed 3. Question A", "removed 3. Question B", "added 4. Question D"]
    changed = page.tree.find("article", class_="change-changed")[0]
    assert changed.one("del").text() == "taken out: 2"
    assert changed.one("ins").text() == "put in: 5"
    assert "Before: step 4 of “Beginning”." in page.words


def test_versions_to_compare_are_chosen_sensibly(make_draft: MakeDraft, desk: Client) -> None:
    first, second, third = make_draft(), make_draft(ask("B")), make_draft(ask("C"))
    lesson_publish(version=second)

    def chosen(**query: str) -> list[str]:
        selects = page_of(desk, url("compare", first.lesson_id), **query).tree.one("main").find("select")
        return [next(o for o in s.find("option") if "selected" in o.attrs).attrs["value"] for s in selects]

    assert chosen() == ["2", "3"]
    assert chosen(new="1") == ["2", "1"]
    assert chosen(new="2") == ["1", "2"]
    assert chosen(old="3", new="1") == ["3", "1"]
    assert chosen(old="x", new="99") == ["2", "3"]
    assert "The two say the same." in page_of(desk, url("compare", third.lesson_id), old="3", new="3").words


def test_how_answers_fared_is_shown_for_each_question_without_names(
    make_lesson: LessonMaker, desk: Client, learner: User
) -> None:
    version = make_lesson(ask(answer={"kind": "list", "items": [["sugar"], ["oxygen"]]}), number())
    evil = "Batteries <script>alert(1)</script>"
    Walk(learner, version).go_on().hint().answer(evil).answer("They have batteries").answer("no sé")
    for address in (url("answers", version.pk), url("lesson_answers", version.lesson_id)):
        page = page_of(desk, address)
        assert "From 1 sessions with 5 turns." in page.words
        first, second = page.tree.find("section", class_="fared")
        assert "rejected 3" in first.text()
        assert "hints 1" in first.text()
        assert "attempts, median" in first.text()
        assert "They have batteries" in first.one("table").text()
        assert evil in first.one("table").text()
        assert "<script>alert" not in page.html
        assert learner.username not in page.tree.one("main").text()
        assert "Nobody has met it yet." in second.text()


def test_a_question_of_an_older_version_is_still_told(make_draft: MakeDraft, desk: Client, learner: User) -> None:
    old = make_draft(ask("OLD"))
    lesson_publish(version=old)
    old.lesson.refresh_from_db()
    Walk(learner, old).go_on().answer("sugar")
    make_draft(ask("NEW"))
    page = page_of(desk, url("lesson_answers", old.lesson_id))
    assert [section.one("h2").text() for section in page.tree.find("section", class_="fared")] == ["NEW", "OLD"]
    assert "This version does not ask it." in page.words


RIGHTS = 2
"""What decides which pages the sidebar names: the user's rights, and their groups'."""


@pytest.mark.parametrize(
    ("name", "queries"),
    [
        ("publish", 2),  # the version with its lesson; sessions under way
        ("retire", 2),  # the lesson; sessions under way
        ("compare", 2),  # the lesson; its versions
        ("answers", 5),  # the version; four reads of the numbers
        ("trial", 1),  # the version
        ("lesson_answers", 6),  # the lesson; its latest version; the numbers
    ],
)
def test_pages_take_few_queries(
    make_draft: MakeDraft, desk: Client, name: str, queries: int, django_assert_num_queries: Any
) -> None:
    versions = [make_draft(*(ask(f"Q{n}{m}") for m in range(n + 3))) for n in range(4)]
    for version in versions:
        lesson_publish(version=version)
    version = versions[1]
    lesson = Lesson.objects.get()
    address = url(name, lesson.pk if name in ("retire", "compare", "lesson_answers") else version.pk)
    desk.get(address)  # outlines are read once in the life of a process
    with django_assert_num_queries(2 + RIGHTS + queries):
        desk.get(address)
