"""Guessing is locked out at every door, by what a guesser cannot forge."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Scope, User
from accounts.services import token_issue, token_revoke
from core.models import RateWindow
from core.services import requests_purge
from tests.accounts.conftest import PASSWORD

LESSONS, SIGN_IN = "/api/v1/lessons/", "/account/sign-in/"
LIMIT = settings.AXES_FAILURE_LIMIT


def ask(secret: str, address: str = "192.0.2.7", **headers: str) -> Any:
    client = Client(REMOTE_ADDR=address, headers={"Authorization": f"Bearer {secret}", **headers})
    return client.get(LESSONS)


def sign_in(name: str = "ana", password: str = "wrong", address: str = "192.0.2.7", **headers: str) -> int:
    client = Client(REMOTE_ADDR=address, headers=headers)
    return client.post(SIGN_IN, {"username": name, "password": password}).status_code


def time_passes(**delta: int) -> None:
    for attempt in AccessAttempt.objects.all():
        AccessAttempt.objects.filter(pk=attempt.pk).update(attempt_time=attempt.attempt_time - timedelta(**delta))


@pytest.fixture
def secret(learner: User) -> str:
    return token_issue(user=learner, name="laptop", scopes=[Scope.LESSONS_READ], days=1)[1]


def guess_tokens(count: int, **more: Any) -> list[int]:
    return [ask(f"andamio_{number:043}", **more).status_code for number in range(count)]


def test_a_good_token_works_whatever_else_comes_from_its_address(secret: str, settings: Any) -> None:
    settings.API_RATE_ADDRESS = 12
    assert guess_tokens(14) == [401] * 12 + [429] * 2
    assert ask(secret).status_code == 200
    assert ask("andamio_wrong", address="192.0.2.8").status_code == 401, "another address is not meant"


def test_wrong_tokens_are_slowed_and_told_for_how_long(secret: str, settings: Any) -> None:
    settings.API_RATE_ADDRESS = 2
    guess_tokens(2)
    refused = ask("andamio_wrong")
    assert (refused.status_code, refused.json()["code"]) == (429, "too-many-requests")
    assert 1 <= int(refused.headers["Retry-After"]) <= 60
    assert not AccessAttempt.objects.exists()


def test_a_token_that_has_ended_is_no_guess(secret: str) -> None:
    token_revoke(token=ApiToken.objects.get())
    assert [ask(secret).status_code for _ in range(LIMIT + 1)] == [401] * (LIMIT + 1)


def test_a_header_that_anybody_can_write_changes_nothing(learner: User) -> None:
    for number in range(LIMIT):
        forged = {
            "X-Forwarded-For": f"198.51.100.{number}",
            "X-Real-IP": "198.51.100.9",
            "User-Agent": f"agent {number}",
        }
        assert sign_in(**forged) == (429 if number == LIMIT - 1 else 200)
    assert sign_in(password=PASSWORD, **{"X-Forwarded-For": "198.51.100.77"}) == 429
    assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {"192.0.2.7"}


def test_all_of_somebodys_ipv6_network_is_one_address(learner: User) -> None:
    for number in range(LIMIT):
        sign_in(address=f"2001:db8::{number + 1:x}")
    assert sign_in(password=PASSWORD, address="2001:db8::ffff") == 429
    assert sign_in(password=PASSWORD, address="2001:db8:0:1::1") == 302


def test_a_server_that_knows_no_addresses_still_answers(secret: str, settings: Any) -> None:
    settings.API_RATE_ADDRESS = 2
    assert ask(secret, address="").status_code == 200
    assert guess_tokens(3, address="") == [401, 401, 429]
    assert sign_in(address="") == 200


def test_capitals_give_no_further_tries(learner: User) -> None:
    names = ["ana", "ANA", "Ana", "aNa", "anA", "AnA", "ANa", "aNA"]
    assert [sign_in(name) for name in names] == [200] * (LIMIT - 1) + [429]
    assert sign_in("ana", PASSWORD) == 429


def test_a_locked_name_is_free_again_after_a_quarter_of_an_hour_however_often_it_was_tried(learner: User) -> None:
    for _ in range(LIMIT):
        sign_in()
    time_passes(minutes=14)
    assert sign_in() == 429
    time_passes(minutes=1)
    assert sign_in(password=PASSWORD) == 302


def test_the_administration_has_no_door_of_its_own(staff: User) -> None:
    client = Client(REMOTE_ADDR="192.0.2.7")
    assert client.get("/admin/")["Location"] == "/admin/login/?next=/admin/"
    assert client.get("/admin/login/?next=/admin/")["Location"] == "/account/sign-in/?next=%2Fadmin%2F"
    forms = {"username": "carla", "password": "correct horse battery"}
    client.post("/admin/login/", forms)
    assert "_auth_user_id" not in client.session


def test_what_a_guesser_sent_is_not_kept(learner: User) -> None:
    sign_in(password="something-secret")
    kept = AccessAttempt.objects.get()
    assert "something-secret" not in str(AccessAttempt.objects.values().get())
    assert kept.attempt_time <= timezone.now()


# Over all names of an address


def test_names_sprayed_from_one_address_are_stopped(learner: User) -> None:
    statuses = [sign_in(f"name-{number}") for number in range(40)]
    assert statuses == [200] * 20 + [429] * 20
    assert sign_in(password=PASSWORD) == 429, "a right one among them is not told apart"
    assert sign_in(password=PASSWORD, address="192.0.2.8") == 302


def test_a_school_that_was_sprayed_signs_in_again_a_minute_later(learner: User) -> None:
    for number in range(40):
        sign_in(f"name-{number}")
    RateWindow.objects.update(started_at=F("started_at") - timedelta(seconds=61))
    assert sign_in(password=PASSWORD) == 302


def test_an_address_has_so_many_wrong_passwords_in_a_day(learner: User, settings: Any) -> None:
    settings.LOGIN_FAILURES_ADDRESS_DAY = 30
    statuses = []
    for minute in range(3):
        statuses += [sign_in(f"name-{minute}-{number}") for number in range(15)]
        RateWindow.objects.update(started_at=F("started_at") - timedelta(seconds=61))
    assert statuses == [200] * 30 + [429] * 15
    assert sign_in(password=PASSWORD) == 429
    assert sign_in(password=PASSWORD, address="192.0.2.8") == 302
    RateWindow.objects.update(started_at=F("started_at") - timedelta(hours=20))
    requests_purge()
    assert sign_in(password=PASSWORD) == 429
    RateWindow.objects.update(started_at=F("started_at") - timedelta(days=1))
    assert sign_in(password=PASSWORD) == 302


def test_right_passwords_do_not_count_as_wrong_ones(settings: Any, db: None) -> None:
    settings.LOGIN_FAILURES_ADDRESS = settings.LOGIN_FAILURES_ADDRESS_DAY = 2
    for number in range(6):
        User.objects.create_user(f"pupil-{number}", password=PASSWORD)
        assert sign_in(f"pupil-{number}", PASSWORD) == 302
    assert [sign_in("pupil-1"), sign_in("pupil-2"), sign_in("pupil-3", PASSWORD)] == [200, 200, 429]


def test_who_is_refused_is_told_when_to_come_back(learner: User, settings: Any) -> None:
    settings.WORK_RATE_ADDRESS = 59
    assert sign_in() == 200
    page = Client(REMOTE_ADDR="192.0.2.7").post(SIGN_IN, {"username": "ana", "password": PASSWORD})
    assert page.status_code == 429
    assert 1 <= int(page.headers["Retry-After"]) <= 60
    assert f"Try again in {page.headers['Retry-After']} second" in page.content.decode()
