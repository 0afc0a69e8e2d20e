"""Where people come back to after signing in or changing the language: the same page, or one that can be asked for."""

from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from accounts.models import User
from lesson_engine.models import Session
from tests.lesson_engine.learn.conftest import MakePerson
from tests.lesson_engine.learn.pages import Page, Person

SIGN_IN, SIGN_UP = "/account/sign-in/", "/account/sign-up/"


def sign_in_next(page: Page) -> str:
    """Where the link in the header leads after signing in; empty for the start."""
    href = page.tree.one("a", class_="quiet").attrs["href"]
    assert urlsplit(href).path == SIGN_IN
    return parse_qs(urlsplit(href).query).get("next", [""])[0]


def language_next(page: Page) -> str:
    return page.tree.one("form", class_="language").one(name="next").attrs["value"]


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/?a=b&c=%26d", "/nowhere/?x=1"])
def test_pages_lead_back_to_themselves_with_their_query(client: Client, address: str) -> None:
    page = Page(client.get(address))
    assert sign_in_next(page) == language_next(page) == address


@pytest.mark.django_db
@pytest.mark.parametrize("address", [SIGN_IN, SIGN_UP])
@pytest.mark.parametrize("wanted", ["", "/lessons/light/"])
def test_account_pages_lead_where_one_was_going_and_not_to_themselves(
    client: Client, address: str, wanted: str
) -> None:
    full = f"{address}?next={wanted}" if wanted else address
    for page in (Page(client.get(full)), Page(client.post(full, {"username": "", "next": wanted}))):
        assert sign_in_next(page) == wanted
        assert language_next(page) == full


def foreign(client: Client, address: str) -> Page:
    """What comes of a form sent from another site, which no page of the player answers."""
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = client.cookies
    return Page(strict.post(address))


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/language/", "/account/sign-out/", "/lessons/light/start/"])
def test_what_takes_forms_only_is_no_way_back(client: Client, address: str) -> None:
    page = foreign(client, address)
    assert page.status == 403
    assert sign_in_next(page) == ""
    assert language_next(page) == "/"


def test_a_player_that_answered_a_form_leads_back_to_the_player(at_light: Person) -> None:
    action = f"{at_light.address}answers/"
    page = Page(at_light.client.post(action, {"answer": "x", "version": "99", "key": "k"}))
    assert page.status == 200
    assert language_next(page) == at_light.address


@pytest.mark.parametrize("address", [SIGN_IN, SIGN_UP])
@pytest.mark.parametrize(
    ("wanted", "there"),
    [("", "/"), ("/lessons/light/", "/lessons/light/"), ("//evil.example", "/"), (SIGN_IN, SIGN_IN)],
)
def test_who_has_an_account_is_sent_on(person: MakePerson, address: str, wanted: str, there: str) -> None:
    client = person().client
    for response in (client.get(address, {"next": wanted}), client.post(address, {"next": wanted})):
        assert (response.status_code, response["Location"]) == (302, there)


@pytest.mark.parametrize("address", [SIGN_IN, SIGN_UP])
def test_guests_may_sign_in_and_up(at_light: Person, address: str) -> None:
    User.objects.filter(pk=Session.objects.get().user_id).update(is_guest=True)
    assert at_light.client.get(address).status_code == 200
