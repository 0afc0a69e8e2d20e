"""Signing in and out."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.services import guest_absorb
from accounts.sign_in import password_work
from accounts.signals import guest_absorbed
from lesson_engine.models import Session
from tests.accounts.conftest import PASSWORD
from tests.lesson_engine.learn.pages import Page, Person
from tests.lesson_engine.services.threads import at_once

SIGN_IN, SIGN_OUT = "/account/sign-in/", "/account/sign-out/"


def sign_in(client: Client, name: str = "ana", password: str = PASSWORD, **more: str) -> Page:
    return Page(client.post(SIGN_IN, {"username": name, "password": password, **more}, follow=True))


def test_a_guest_who_signs_in_takes_their_lesson_along(guest: Person, learner: User) -> None:
    guest.dont_know()
    sign_in(guest.client)
    assert not User.objects.filter(is_guest=True).exists()
    assert Session.objects.get().user == learner
    assert guest.look().attempt == "Attempt 2 of 3"


@pytest.mark.parametrize("later", ["guest", "account"])
def test_of_two_lessons_under_way_the_later_used_stays_so(guest: Person, learner: User, later: str) -> None:
    guests = Session.objects.get()
    elsewhere = Person(Client())
    elsewhere.client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    elsewhere.start("light")
    mine = Session.objects.get(user=learner)
    moved = timezone.now() + timedelta(minutes=1)
    Session.objects.filter(pk=(guests if later == "guest" else mine).pk).update(active_at=moved)
    sign_in(guest.client)
    statuses = {session.pk: session.status for session in Session.objects.filter(user=learner)}
    stays, goes = (guests, mine) if later == "guest" else (mine, guests)
    assert statuses == {stays.pk: "active", goes.pk: "set_aside"}
    again = Person(guest.client)
    again.start("light")
    assert again.address == f"/sessions/{stays.pk}/"
    assert guest.client.get(f"/sessions/{goes.pk}/").status_code == 200


def test_finished_lessons_of_a_guest_move_too(guest: Person, learner: User) -> None:
    guest.walk(lambda somebody: somebody.dont_know())
    Person(guest.client).start("light")
    sign_in(guest.client)
    assert sorted(Session.objects.filter(user=learner).values_list("status", flat=True)) == ["active", "finished"]


@pytest.mark.django_db(transaction=True)
def test_two_tabs_of_a_guest_that_sign_in_at_once_lose_nothing(guest: Person, learner: User) -> None:
    ghost = User.objects.get(is_guest=True)
    at_once([lambda: guest_absorb(guest=ghost, account=learner)] * 3)
    assert Session.objects.get().user == learner
    assert User.objects.count() == 1


def test_absorbing_somebody_who_is_no_guest_does_nothing(learner: User, stranger: User) -> None:
    guest_absorb(guest=learner, account=stranger)
    guest_absorb(guest=learner, account=learner)
    assert User.objects.count() == 2


def test_others_may_sign_in_while_a_lesson_moves(guest: Person, learner: User) -> None:
    """It waits for rows of the guest: the one place for work on passwords is free by then."""
    free = []

    def other_signs_in(**_: object) -> None:
        free.append(password_work._slots.acquire(blocking=False))
        password_work._slots.release()

    guest_absorbed.connect(other_signs_in)
    try:
        guest.client.post("/account/sign-in/", {"username": "ana", "password": PASSWORD})
    finally:
        guest_absorbed.disconnect(other_signs_in)
    assert free == [True]


def test_a_wrong_password_keeps_the_guest(guest: Person, learner: User) -> None:
    page = sign_in(guest.client, password="wrong")
    assert page.tree.find(role="alert")
    assert guest.look().ask == "ASK_001"
    assert Session.objects.get().user.is_guest


def test_nobody_can_sign_in_as_a_guest(guest: Person) -> None:
    ghost = User.objects.get()
    for password in ("", "!", ghost.password):
        assert sign_in(Client(), ghost.username, password).tree.find("form", class_="stack")


def test_signing_out_forgets_who_it_was_and_takes_a_post(client: Client, learner: User) -> None:
    sign_in(client)
    assert client.get(SIGN_OUT).status_code == 405
    response = client.post(SIGN_OUT)
    assert (response.status_code, response["Location"]) == (302, "/")
    assert "Sign in" in Page(client.get("/")).words


def test_eight_failures_lock_the_name_from_there_and_say_so(client: Client, learner: User) -> None:
    for _ in range(7):
        page = sign_in(client, password="wrong")
        assert page.status == 200
    page = sign_in(client, password="wrong")
    assert page.status == 429
    assert page.tree.one("h1").text() == "Too many attempts"
    assert sign_in(client).status == 429, "now the right password is refused too"
    elsewhere = Client(REMOTE_ADDR="192.0.2.7")
    assert sign_in(elsewhere).status == 200
    assert sign_in(client, "berto", "wrong").status == 200, "another name is not locked"


def test_a_success_forgets_earlier_failures(client: Client, learner: User) -> None:
    for _ in range(2):
        for _ in range(7):
            sign_in(client, password="wrong")
        assert "ana" in sign_in(client).words
        client.post(SIGN_OUT)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["", "a\0b", "a" * 5_000, "\U0001f331", "'; --"])
def test_no_name_breaks_signing_in(client: Client, name: str) -> None:
    client.defaults |= {"HTTP_USER_AGENT": name * 100, "HTTP_ACCEPT": name * 1_000}
    assert sign_in(client, name).status == 200


def test_forms_are_refused_without_the_token_and_say_so_kindly(foreign_form: Page) -> None:
    assert foreign_form.status == 403
    assert "Nothing was lost" in foreign_form.words


@pytest.fixture(
    params=["/account/sign-in/", "/account/sign-up/", "/account/sign-out/", "/lessons/light/start/", "answers"]
)
def foreign_form(request: pytest.FixtureRequest, guest: Person) -> Page:
    """What comes of a form sent from another site."""
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = guest.client.cookies
    address = f"{guest.address}answers/" if request.param == "answers" else request.param
    return Page(strict.post(address, {"answer": "x", "version": "1", "key": "k"}))
