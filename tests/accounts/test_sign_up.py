"""Making an account."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Role, User
from accounts.services import account_sign_up, guest_create
from core.errors import RowThere
from lesson_engine.models import Session
from tests.accounts.conftest import PASSWORD
from tests.lesson_engine.learn.pages import Person
from tests.lesson_engine.services.threads import at_once

SIGN_UP = "/account/sign-up/"


def sign_up(client: Client, name: str = "dora", **more: str) -> Any:
    data = {"username": name, "password1": PASSWORD, "password2": PASSWORD, **more}
    return client.post(SIGN_UP, data)


@pytest.mark.django_db
def test_signing_up_makes_a_learner_and_signs_in(client: Client) -> None:
    response = sign_up(client)
    assert (response.status_code, response["Location"]) == (302, "/")
    user = User.objects.get()
    assert (user.username, user.role, user.is_guest, user.is_staff) == ("dora", Role.LEARNER, False, False)
    assert "dora" in client.get("/").content.decode()


def test_signing_up_keeps_what_the_guest_did(guest: Person) -> None:
    guest.dont_know()
    before = User.objects.get()
    assert "What you did as a guest stays yours." in guest.client.get(SIGN_UP).content.decode()
    sign_up(guest.client)
    user = User.objects.get()
    assert (user.pk, user.username, user.is_guest) == (before.pk, "dora", False)
    assert user.check_password(PASSWORD)
    assert guest.look().attempt == "Attempt 2 of 3"


@pytest.mark.parametrize("name", ["ana", "", "a" * 151, "two words", "<b>"])
def test_a_name_that_cannot_be_is_refused_and_the_guest_stays_a_guest(guest: Person, learner: User, name: str) -> None:
    response = sign_up(guest.client, name)
    assert response.status_code == 422
    assert b"field-error" in response.content
    assert User.objects.filter(is_guest=True).count() == 1
    assert guest.look().ask == "ASK_001"


@pytest.mark.django_db
@pytest.mark.parametrize("password", ["short", "password", "12345678901", "dora-dora", ""])
def test_a_weak_password_is_refused(client: Client, password: str) -> None:
    response = sign_up(client, "dora-dora", password1=password, password2=password)
    assert response.status_code == 422
    assert not User.objects.exists()


@pytest.mark.django_db
def test_passwords_that_differ_are_refused(client: Client) -> None:
    assert sign_up(client, password2="another horse battery").status_code == 422


@pytest.mark.django_db
def test_a_name_in_other_characters_can_sign_in_afterwards(client: Client) -> None:
    assert sign_up(client, "\uff44\uff4f\uff52\uff41").status_code == 302  # full-width letters
    assert User.objects.get().username == "dora"
    assert sign_up(Client(), "dora").status_code == 422


@pytest.mark.django_db(transaction=True)
def test_of_several_who_take_a_name_at_once_one_gets_it() -> None:
    clients = [Client() for _ in range(4)]
    responses = at_once([lambda one=one: sign_up(one) for one in clients])  # type: ignore[misc]
    assert sorted(response.status_code for response in responses) == [302, 422, 422, 422]
    assert User.objects.count() == 1


def test_a_guest_whose_name_was_taken_meanwhile_is_still_a_guest_in_memory_too(learner: User) -> None:
    guest = guest_create()
    with pytest.raises(RowThere):
        account_sign_up(username="ana", password=PASSWORD, guest=guest)
    assert guest.is_guest
    assert guest.username.startswith("guest-")


@pytest.mark.django_db(transaction=True)
def test_two_tabs_of_a_guest_that_sign_up_at_once_make_two_accounts_and_lose_nothing(guest: Person) -> None:
    tabs = []
    for _ in range(2):
        tab = Client()
        tab.cookies.load(guest.client.cookies.output(header="", sep=";"))
        tabs.append(tab)
    responses = at_once([lambda t=t, n=n: sign_up(t, n) for t, n in zip(tabs, ("dora", "eva"), strict=True)])  # type: ignore[misc]
    assert {response.status_code for response in responses} == {302}
    assert set(User.objects.values_list("username", flat=True)) == {"dora", "eva"}
    assert Session.objects.get().user.username in ("dora", "eva")


@pytest.mark.django_db
@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "http:///evil.example",
        "\x00/x",
        " //evil.example",
    ],
)
@pytest.mark.parametrize("address", [SIGN_UP, "/account/sign-in/"])
def test_nobody_is_sent_to_another_site(client: Client, learner: User, address: str, target: str) -> None:
    data = {"username": "ana", "password": PASSWORD, "next": target}
    if address == SIGN_UP:
        data = {"username": "dora", "password1": PASSWORD, "password2": PASSWORD, "next": target}
    response = client.post(address, data)
    assert (response.status_code, response["Location"]) == (302, "/")


@pytest.mark.django_db
@pytest.mark.parametrize("target", ["/lessons/light/", "/?a=b", "lessons", "accounts", "a" * 3_000])
def test_people_go_on_where_they_came_from(client: Client, target: str) -> None:
    response = sign_up(client, next=target)
    assert response.status_code < 500
    if target.startswith("/"):
        assert response["Location"] == target


def test_a_name_in_other_letters_case_is_taken(client: Client, learner: User) -> None:
    form = {"username": "ANA", "password1": "correct horse battery", "password2": "correct horse battery"}
    response = client.post("/account/sign-up/", form)
    assert response.status_code == 422
    assert "already exists" in response.content.decode()
    assert User.objects.count() == 1


def test_a_name_signs_in_in_any_case(client: Client, learner: User) -> None:
    response = client.post("/account/sign-in/", {"username": "Ana", "password": "correct horse battery"})
    assert response.status_code == 302
    assert client.session["_auth_user_id"] == str(learner.pk)
