"""How long staff stay signed in, and that learners stay."""

import time
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import Role, User
from tests.accounts.conftest import PASSWORD
from tests.accounts.phone import set_up
from tests.lesson_engine.learn.pages import Person

HOUR = 3600
ADMIN, API = "/admin/", "/api/v1/sessions/"


def signed_in(name: str) -> Client:
    client = Client()
    assert client.post("/account/sign-in/", {"username": name, "password": PASSWORD}).status_code == 302
    return client


def cookie_age(client: Client) -> int:
    return int(client.cookies[settings.SESSION_COOKIE_NAME]["max-age"])


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Moves the clock that sessions of staff go by, by so many seconds."""
    now = [time.time()]
    monkeypatch.setattr("accounts.sign_in.staff_sessions.time.time", lambda: now[0])

    def move(seconds: float) -> None:
        now[0] += seconds

    return move


def test_staff_are_signed_out_after_their_hours_however_busy(staff: User, clock: Any) -> None:
    desk = signed_in("carla")
    assert cookie_age(desk) == 12 * HOUR
    for _ in range(14):
        clock(50 * 60)
        assert desk.get(ADMIN).status_code == 200
    clock(20 * 60)
    key = desk.session.session_key
    assert desk.get(ADMIN, follow=True).redirect_chain[-1] == ("/account/sign-in/?next=%2Fadmin%2F", 302)
    assert not desk.session.exists(str(key))
    assert desk.get(API).status_code == 401


def test_staff_are_signed_out_when_nothing_comes_from_them(staff: User, clock: Any) -> None:
    desk = signed_in("carla")
    clock(59 * 60)
    assert desk.get(API).status_code == 200
    clock(59 * 60)
    assert desk.get(ADMIN).status_code == 200
    clock(61 * 60)
    assert desk.get(API).status_code == 401
    assert desk.get(ADMIN).status_code == 302


def test_both_times_are_the_operators(staff: User, clock: Any, settings: Any) -> None:
    settings.STAFF_SESSION_HOURS, settings.STAFF_IDLE_MINUTES = 1, 10
    desk = signed_in("carla")
    assert cookie_age(desk) == HOUR
    clock(11 * 60)
    assert desk.get(ADMIN).status_code == 302


def test_the_second_factor_ends_with_the_session(staff: User, clock: Any, settings: Any) -> None:
    settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    desk = signed_in("carla")
    set_up(desk)
    assert desk.get(ADMIN).status_code == 200
    clock(2 * HOUR)
    assert desk.get(ADMIN).status_code == 302
    assert desk.post("/account/sign-in/", {"username": "carla", "password": PASSWORD}).status_code == 302
    assert desk.get(ADMIN, follow=True).redirect_chain[-1][0].startswith("/account/second-factor/")


def test_a_busy_minute_writes_nothing(staff: User, clock: Any, django_assert_num_queries: Any) -> None:
    desk = signed_in("carla")
    desk.get("/account/tokens/")
    with django_assert_num_queries(3):  # the session, its user, their tokens
        desk.get("/account/tokens/")


def test_learners_and_guests_keep_half_a_year(learner: User, guest: Person, clock: Any) -> None:
    account = signed_in("ana")
    assert cookie_age(account) == cookie_age(guest.client) == 180 * 24 * HOUR
    clock(100 * 24 * HOUR)
    assert account.get(API).status_code == 200
    assert guest.client.get(API).status_code == 200


def test_a_session_from_before_its_user_was_staff_opens_nothing(learner: User) -> None:
    old = signed_in("ana")
    key = old.session.session_key
    User.objects.filter(pk=learner.pk).update(role=Role.STAFF, is_staff=True, is_superuser=True)
    assert old.get(ADMIN).status_code == 302
    assert old.get(API).status_code == 401
    assert signed_in("ana").get(ADMIN).status_code == 200
    assert not old.session.exists(str(key))


def test_each_rise_of_rights_has_a_new_key(guest: Person, staff: User, settings: Any) -> None:
    settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    keys = [guest.client.session.session_key]
    form = {"username": "gus", "password1": PASSWORD, "password2": PASSWORD}
    assert guest.client.post("/account/sign-up/", form).status_code == 302
    keys.append(guest.client.session.session_key)
    desk = signed_in("carla")
    keys.append(desk.session.session_key)
    set_up(desk)
    keys.append(desk.session.session_key)
    assert len(set(keys)) == 4
    assert not any(desk.session.exists(str(key)) for key in keys[:1] + keys[2:3])
