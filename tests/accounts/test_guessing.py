"""Guessing is locked out at every door, by what a guesser cannot forge."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.conf import settings
from django.test import Client
from django.utils import timezone

from accounts.models import ApiToken, Scope, User
from accounts.services import token_issue, token_revoke
from tests.accounts.conftest import PASSWORD

LESSONS, SIGN_IN = "/api/v1/lessons/", "/account/sign-in/"
LIMIT = settings.AXES_FAILURE_LIMIT
QUARTER_HOUR = 15 * 60


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


def guess_tokens(count: int = LIMIT, **more: Any) -> list[int]:
    return [ask(f"andamio_{number:043}", **more).status_code for number in range(count)]


def test_after_some_wrong_tokens_none_from_there_is_looked_at(secret: str) -> None:
    assert guess_tokens() == [401] * LIMIT
    right, wrong = ask(secret), ask("andamio_wrong")
    for response in (right, wrong):
        assert response.status_code == 429
        assert response.json()["code"] == "too-many-wrong-tokens"
        assert QUARTER_HOUR - 30 < int(response.headers["Retry-After"]) <= QUARTER_HOUR
    assert right.json() == wrong.json(), "nothing tells whether it was right"
    assert ask(secret, address="192.0.2.8").status_code == 200, "another address is not meant"


def test_waiting_opens_the_door_again_and_asking_meanwhile_does_not_shut_it_longer(secret: str) -> None:
    guess_tokens()
    time_passes(minutes=14)
    assert guess_tokens(2) == [429, 429]
    time_passes(minutes=1)
    assert ask(secret).status_code == 200


def test_a_right_token_does_not_forget_the_wrong_ones(secret: str) -> None:
    for _ in range(LIMIT - 1):
        assert ask("andamio_wrong").status_code == 401
        assert ask(secret).status_code == 200
    assert ask("andamio_wrong").status_code == 401
    assert ask(secret).status_code == 429


def test_a_token_that_has_ended_is_no_guess(secret: str) -> None:
    token_revoke(token=ApiToken.objects.get())
    assert [ask(secret).status_code for _ in range(LIMIT + 1)] == [401] * (LIMIT + 1)
    assert not AccessAttempt.objects.exists()


def test_a_header_that_anybody_can_write_changes_nothing(secret: str) -> None:
    for number in range(LIMIT):
        forged = {
            "X-Forwarded-For": f"198.51.100.{number}",
            "X-Real-IP": "198.51.100.9",
            "User-Agent": f"agent {number}",
        }
        assert ask("andamio_wrong", **forged).status_code == 401
        assert sign_in(**forged) == (429 if number == LIMIT - 1 else 200)
    assert ask(secret, **{"X-Forwarded-For": "198.51.100.77"}).status_code == 429
    assert sign_in(password=PASSWORD, **{"X-Forwarded-For": "198.51.100.77"}) == 429
    assert set(AccessAttempt.objects.values_list("ip_address", flat=True)) == {"192.0.2.7"}


def test_all_of_somebodys_ipv6_network_is_one_address(secret: str) -> None:
    for number in range(LIMIT):
        assert ask("andamio_wrong", address=f"2001:db8::{number + 1:x}").status_code == 401
    assert ask(secret, address="2001:db8::ffff").status_code == 429
    assert ask(secret, address="2001:db8:0:1::1").status_code == 200


def test_a_server_that_knows_no_addresses_still_answers(secret: str) -> None:
    assert ask(secret, address="").status_code == 200
    assert guess_tokens(address="") == [401] * LIMIT
    assert ask(secret, address="").status_code == 429


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
    ask("andamio_something-secret", **{"Content-Type": "application/x-www-form-urlencoded"})
    kept = AccessAttempt.objects.get()
    assert (kept.get_data, kept.post_data) == ("", "")
    assert "something-secret" not in str(AccessAttempt.objects.values().get())
    assert kept.attempt_time <= timezone.now()
