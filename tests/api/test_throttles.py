"""How often one user, token or address may ask."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Scope, User
from core.limits.windows import RateState, network_of, rates_count
from core.models import RateWindow
from core.services import requests_purge
from tests.api import probe
from tests.api.sessions import Program
from tests.api.test_problems import PROBE, problem_of
from tests.lesson_engine.services.threads import at_once

pytestmark = pytest.mark.django_db
RATE_HEADERS = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset")


@pytest.fixture(autouse=True)
def _limits(settings: Any, probes: probe.Runs) -> None:
    settings.API_RATE_USER, settings.API_RATE_TOKEN, settings.API_RATE_ADDRESS = 5, 3, 2


def statuses(client: Client, times: int, **more: Any) -> list[int]:
    return [client.get(PROBE, **more).status_code for _ in range(times)]


def test_one_token_may_ask_as_often_as_it_may(learner: User) -> None:
    assert statuses(Program(learner).client, 4) == [200, 200, 200, 429]


def test_two_tokens_of_one_user_share_the_users_limit(learner: User) -> None:
    first, second = Program(learner).client, Program(learner).client
    assert statuses(first, 3) + statuses(second, 3) == [200] * 5 + [429]


def test_another_user_is_not_held_back(learner: User, stranger: User) -> None:
    statuses(Program(learner).client, 5)
    assert statuses(Program(stranger).client, 1) == [200]


def test_a_browser_counts_against_its_user(learner: User) -> None:
    browser = Client()
    browser.force_login(learner, backend="django.contrib.auth.backends.ModelBackend")
    assert statuses(browser, 6) == [200] * 5 + [429]


def test_strangers_count_against_their_address() -> None:
    assert statuses(Client(), 3, REMOTE_ADDR="192.0.2.1") == [401, 401, 429]
    assert statuses(Client(), 1, REMOTE_ADDR="192.0.2.2") == [401]


def test_wrong_tokens_count_against_their_address() -> None:
    wrong = Client(headers={"Authorization": "Bearer andamio_wrong"})
    assert statuses(wrong, 3, REMOTE_ADDR="192.0.2.1") == [401, 401, 429]


def test_a_forged_address_changes_nothing() -> None:
    forged = ("X-Forwarded-For", "Forwarded", "X-Real-IP", "X-Client-IP", "CF-Connecting-IP")
    answers = [Client().get(PROBE, headers=dict.fromkeys(forged, f"198.51.100.{n}")).status_code for n in range(3)]
    assert answers == [401, 401, 429]


def test_a_good_token_works_from_an_address_that_is_used_up(learner: User) -> None:
    statuses(Client(), 3)
    assert statuses(Program(learner).client, 1) == [200]


def test_refusals_count_too(learner: User) -> None:
    weak = Program(learner, scopes=(Scope.SESSIONS_READ,)).client
    assert statuses(weak, 4) == [403, 403, 403, 429]


def test_too_many_are_told_when_to_come_back(learner: User) -> None:
    client = Program(learner).client
    statuses(client, 3)
    response = client.get(PROBE)
    problem_of(response, 429, "too-many-requests")
    assert 1 <= int(response.headers["Retry-After"]) <= 60
    assert response.headers["RateLimit-Remaining"] == "0"


def test_every_answer_says_what_is_left(learner: User) -> None:
    client = Program(learner).client
    for left in ("2", "1", "0"):
        response = client.get(PROBE)
        assert [response.headers[name] for name in RATE_HEADERS[:2]] == ["3", left]
        assert 0 < int(response.headers["RateLimit-Reset"]) <= 60
    assert client.get("/healthz").headers.keys().isdisjoint(RATE_HEADERS)


def test_after_a_minute_the_count_begins_anew(learner: User) -> None:
    client = Program(learner).client
    assert statuses(client, 4)[-1] == 429
    RateWindow.objects.update(started_at=F("started_at") - timedelta(seconds=59))
    assert statuses(client, 1) == [429]
    RateWindow.objects.update(started_at=F("started_at") - timedelta(seconds=2))
    assert statuses(client, 1) == [200]
    assert set(RateWindow.objects.values_list("count", flat=True)) == {1}


def test_all_keys_of_a_request_are_counted_in_one_statement(learner: User) -> None:
    client = Program(learner).client
    with CaptureQueriesContext(connection) as queries:
        client.get(PROBE)
    assert sum("core_ratewindow" in query["sql"] for query in queries) == 1
    assert sorted(key.partition(":")[0] for key in RateWindow.objects.values_list("key", flat=True)) == [
        "token",
        "user",
    ]


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1%eth0", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("", ""),
        ("unix:", ""),
    ],
)
def test_addresses_are_counted_by_who_can_have_them(address: str, counted: str) -> None:
    assert network_of(address) == counted


@pytest.mark.django_db(transaction=True)
def test_at_once_none_slips_through_and_none_waits_for_another() -> None:
    keys = {f"user:{number}": 10 for number in range(4)}
    backwards = dict(reversed(keys.items()))
    counted = at_once([partial(_count, each, 20) for each in (keys, backwards) * 4])
    assert set(RateWindow.objects.values_list("count", flat=True)) == {160}
    allowed = [state for rounds in counted for states in rounds for state in states if state.left >= 0]
    assert len(allowed) == 4 * 10


def _count(keys: dict[str, int], times: int) -> list[list[RateState]]:
    return [rates_count(keys) for _ in range(times)]


def test_windows_long_over_are_purged(learner: User) -> None:
    statuses(Client(), 1)
    RateWindow.objects.update(started_at=F("started_at") - timedelta(hours=25))
    statuses(Program(learner).client, 1)
    assert requests_purge() == 1
    assert not RateWindow.objects.filter(key__startswith="address").exists()
    assert RateWindow.objects.count() == 2
