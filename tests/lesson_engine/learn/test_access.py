"""A session is its learner's alone: to everybody else no address of it exists."""

import uuid

import pytest
from django.test import Client

from accounts.models import User
from lesson_engine.models import Session, Turn
from tests.lesson_engine.learn.pages import Person

ACTIONS = ("answers", "continue", "hint", "skip", "mode")


@pytest.mark.parametrize("who", ["nobody", "stranger", "staff"])
@pytest.mark.parametrize("htmx", [False, True])
def test_only_its_learner_finds_a_session(
    at_light: Person, stranger: User, staff: User, client: Client, who: str, htmx: bool
) -> None:
    if who != "nobody":
        client.force_login({"stranger": stranger, "staff": staff}[who], "django.contrib.auth.backends.ModelBackend")
    headers = {"HX-Request": "true"} if htmx else {}
    version = Session.objects.get().version
    found = [client.get(at_light.address, headers=headers)]
    data = {"version": version, "key": "k", "answer": "sugar", "mode": "adaptive"}
    found += [client.post(f"{at_light.address}{action}/", data, headers=headers) for action in ACTIONS]
    assert [response.status_code for response in found] == [404] * 6
    assert "What do plants need light for" not in found[0].content.decode()
    assert Session.objects.get().version == version
    assert not Turn.objects.filter(version=version).exists()


@pytest.mark.parametrize("action", ACTIONS)
def test_opening_the_address_of_an_action_leads_to_the_session_and_does_nothing(at_light: Person, action: str) -> None:
    version = Session.objects.get().version
    assert at_light.client.get(f"{at_light.address}{action}/")["Location"] == at_light.address
    assert at_light.client.put(f"{at_light.address}{action}/").status_code == 405
    assert Session.objects.get().version == version


def test_a_session_that_never_was_is_not_found(at_light: Person) -> None:
    assert at_light.client.get(f"/sessions/{uuid.uuid4()}/").status_code == 404
    assert at_light.client.get("/sessions/1/").status_code == 404


def test_pages_of_a_session_are_not_cached_and_vary_by_htmx(at_light: Person) -> None:
    response = at_light.client.get(at_light.address)
    assert "no-store" in response["Cache-Control"]
    assert "HX-Request" in response["Vary"]


def test_no_page_may_run_scripts_of_others(at_light: Person) -> None:
    policy = at_light.client.get(at_light.address)["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
