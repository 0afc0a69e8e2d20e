"""What a client has already need not be sent again."""

import pytest
from django.test import Client

from accounts.models import User
from tests.api import probe
from tests.api.sessions import Program

IMMUTABLE = "/api/v1/probe/immutable/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def program(learner: User, probes: probe.Runs) -> Client:
    return Program(learner).client


def test_an_answer_has_its_etag_and_how_long_it_holds(program: Client) -> None:
    response = program.get(IMMUTABLE)
    assert response.status_code == 200
    assert response.headers["ETag"] == '"abc"'
    assert response.headers["Cache-Control"] == "private, max-age=3600, immutable"


@pytest.mark.parametrize("named", ['"abc"', 'W/"abc"', '"x", "abc"', '"x",W/"abc"', "*"])
def test_who_has_it_gets_nothing_again(program: Client, named: str) -> None:
    response = program.get(IMMUTABLE, headers={"If-None-Match": named})
    assert (response.status_code, response.content) == (304, b"")
    assert response.headers["ETag"] == '"abc"'
    assert response.headers["Cache-Control"] == "private, max-age=3600, immutable"
    assert "Content-Type" not in response.headers
    assert not probe.runs


@pytest.mark.parametrize("named", ['"ab"', "abc", "", '"ABC"', '"x" "abc', "\x00"])
def test_who_has_another_gets_it(program: Client, named: str) -> None:
    response = program.get(IMMUTABLE, headers={"If-None-Match": named})
    assert response.status_code == 200
    assert response.json()["run"] == 1


def test_head_tells_the_same_without_the_body(program: Client) -> None:
    response = program.head(IMMUTABLE)
    assert (response.status_code, response.content) == (200, b"")
    assert response.headers["ETag"] == '"abc"'
    assert program.head(IMMUTABLE, headers={"If-None-Match": '"abc"'}).status_code == 304


def test_nobody_without_a_token_learns_whether_it_holds(probes: probe.Runs) -> None:
    for named in ('"abc"', '"x"'):
        assert Client().get(IMMUTABLE, headers={"If-None-Match": named}).status_code == 401


def test_what_changes_is_not_kept(program: Client) -> None:
    assert program.get("/api/v1/probe/").headers["Cache-Control"] == "no-store"
