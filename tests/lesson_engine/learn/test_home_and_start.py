"""From the home page to the first step."""

import pytest
from django.test import Client

from accounts.models import User
from lesson_engine.models import LessonVersion, Session
from lesson_engine.selectors import latest_sessions
from tests.conftest import LessonMaker
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Page, Person, parse
from tests.lesson_engine.services.threads import at_once


@pytest.mark.django_db
def test_home_without_lessons_says_what_to_do(client: Client) -> None:
    assert "import_lesson" in client.get("/").content.decode()


def test_home_links_each_lesson(client: Client, photosynthesis: LessonVersion, make_lesson: LessonMaker) -> None:
    make_lesson()
    home = parse(client.get("/").content.decode())
    links = {node.attrs["data-lesson"]: node.attrs["href"] for node in home.nodes if "data-lesson" in node.attrs}
    assert links == {"fotosintesis": "/lessons/fotosintesis/", "light": "/lessons/light/"}


def test_home_shows_how_far_the_reader_is(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    one = person(at="light")
    assert "Under way" in one.client.get("/").content.decode()
    one.walk(lambda somebody: somebody.dont_know())
    home = one.client.get("/").content.decode()
    assert "Finished" in home
    assert "Under way" not in home


def test_the_state_of_a_session_is_not_read_to_show_its_lesson(make_lesson: LessonMaker, person: MakePerson) -> None:
    version = make_lesson()
    person(at="light")
    session = latest_sessions(Session.objects.get().user).get(version.lesson_id)
    assert session is not None
    assert session.get_deferred_fields() == {"state"}


def test_the_lesson_page_has_one_start_that_needs_no_choice(client: Client, photosynthesis: LessonVersion) -> None:
    page = parse(client.get("/lessons/fotosintesis/").content.decode())
    form = page.one(class_="start")
    assert form.tag == "form"
    assert form.one("button", id="start").attrs.get("type", "submit") == "submit"
    assert [node.attrs["type"] for node in form.find("input")] == ["hidden"]  # the CSRF token
    assert not form.find("select")


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/lessons/nowhere/", "/lessons/NOWHERE/", "/lessons/a%00b/"])
def test_an_unknown_lesson_is_not_found(client: Client, address: str) -> None:
    assert client.get(address).status_code == 404
    assert client.post(f"{address}start/").status_code == 404
    assert not User.objects.exists(), "nobody becomes a guest for nothing"


@pytest.mark.parametrize("address", ["/", "/lessons/light/", "/lesson-format/1/schema.json", "/healthz"])
def test_pages_can_be_asked_for_their_head_alone(client: Client, make_lesson: LessonMaker, address: str) -> None:
    make_lesson()
    assert client.head(address).status_code == 200


def test_starting_without_an_account_makes_a_guest_and_a_cookie(client: Client, make_lesson: LessonMaker) -> None:
    version = make_lesson()
    one = Person(client)
    one.start("light")
    session = Session.objects.get()
    assert session.user.is_guest
    assert not session.user.has_usable_password()
    assert (session.lesson_version_id, session.version, session.mode) == (version.pk, 0, "deterministic")
    cookie = client.cookies["andamio_session"]
    assert cookie["httponly"]
    assert cookie["max-age"] == 180 * 24 * 3600
    assert one.page.step == "moments[0].steps[0]"


def test_starting_again_resumes_at_the_exact_step(client: Client, make_lesson: LessonMaker) -> None:
    make_lesson()
    one = Person(client)
    one.start("light")
    one.go_to_question()
    address, step = one.address, one.page.step
    assert "Continue where you left off" in client.get("/lessons/light/").content.decode()
    one.start("light")
    assert (one.address, one.page.step) == (address, step)
    assert (Session.objects.count(), User.objects.count()) == (1, 1)


def test_opening_the_address_of_start_leads_to_the_lesson_and_starts_nothing(
    client: Client, make_lesson: LessonMaker
) -> None:
    make_lesson()
    assert client.get("/lessons/light/start/")["Location"] == "/lessons/light/"
    assert client.put("/lessons/light/start/").status_code == 405
    assert not Session.objects.exists()


def test_signing_in_elsewhere_resumes_at_the_same_step(make_lesson: LessonMaker, person: MakePerson) -> None:
    make_lesson()
    here = person(at="light")
    here.go_to_question()
    there = person(at="light")
    assert (there.address, there.page.step) == (here.address, here.page.step)


@pytest.mark.django_db(transaction=True)
def test_many_starts_at_once_make_one_session(make_lesson: LessonMaker, learner: User, person: MakePerson) -> None:
    make_lesson()
    people = [person() for _ in range(6)]
    pages: list[Page] = at_once([lambda one=one: one.start("light") for one in people])  # type: ignore[misc]
    assert Session.objects.count() == 1
    assert {one.address for one in people} == {f"/sessions/{Session.objects.get().pk}/"}
    assert {page.step for page in pages} == {"moments[0].steps[0]"}


def test_the_schema_of_lessons_is_sent_once(client: Client) -> None:
    first = client.get("/lesson-format/1/schema.json")
    again = client.get("/lesson-format/1/schema.json", headers={"If-None-Match": first["ETag"]})
    assert (first.status_code, again.status_code, again.content) == (200, 304, b"")
