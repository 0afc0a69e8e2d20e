"""`ENGINE_DEBUG`: staff see in the player why the tutor did what it did; nobody else has a byte of it."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import Role, User
from gateway.contracts import Tier
from gateway.selectors import CALLS_AT_MOST, calls_of
from lesson_engine.models import Session
from tests.conftest import LessonMaker
from tests.gateway.spending import hold_cents, spend_cents
from tests.lesson_engine.learn.pages import Node, Page, Person, comparable
from tests.provider import Provider, Used, says

Queries = Callable[[int], AbstractContextManager[Any]]
MakeStaff = Callable[[], Person]


@pytest.fixture(autouse=True)
def _debug(settings: Settings) -> None:
    settings.ENGINE_DEBUG = True


@pytest.fixture
def carla(make_lesson: LessonMaker, staff: User, client: Client) -> Person:
    """Staff before the first question of the small lesson."""
    make_lesson()
    client.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    one = Person(client)
    one.start("light")
    one.go_to_question()
    return one


def trail(page: Page) -> Node:
    return page.tree.one("details", id="decisions")


def facts(turn: Node) -> dict[str, str]:
    return {node.one("dt").text(): node.one("dd").text() for node in turn.find("div")}


@pytest.mark.usefixtures("wrong_network")
def test_an_answer_shows_verdict_deviation_planner_and_that_nobody_was_asked(carla: Person) -> None:
    carla.mode("adaptive")
    carla.answer("They need it to grow hair")
    last, mode, *_ = trail(carla.page).find("li")
    assert last.one("h2").text() == "turn:2 answer · adaptive · ASK_001"
    told = facts(last)
    verdict: Any = Session.objects.get().turns.get(version=2).verdict
    assert told["Verdict"].startswith(f"REJECT {verdict['rule']} · score 0.")
    assert f"grader {verdict['grader']}" in told["Verdict"]
    assert told["Deviation"] in ("ON_TOPIC", "VAGUE", "OFF_TOPIC")
    assert told["Planner"].startswith("op ")
    assert "reason " in told["Planner"]
    assert told["Second opinion"] == "not asked"
    assert told["Calls"] == "none"
    assert mode.text() == "turn:1 mode · adaptive · ASK_001"
    assert "Budget mode full · 100 ¢ left, 0 ¢ held, escalations 0/5" in trail(carla.page).text()
    assert "They need it to grow hair" not in trail(carla.page).text()


def test_calls_are_told_with_tier_model_outcome_cost_and_latency(carla: Person) -> None:
    carla.answer("They need it to grow hair")
    session = Session.objects.get()
    spend_cents(session.pk, Decimal("2.5"), subject="turn:1")
    spend_cents(session.pk, Decimal("0.0002"), Tier.EMBED, subject="turn:1")
    hold_cents(session.pk, 88, subject="turn:1")
    spend_cents(session.pk, 1, Tier.EMBED, subject="another thing")
    answered, _read = trail(carla.look()).find("li")
    assert [call.text() for call in answered.find("span", class_="call")] == [
        "thinker o3-mini tutor_turn · answered · 2.5 ¢ · 321 ms · escalation",
        "embed text-embedding-3-small tutor_turn · answered · 0.0002 ¢ · 321 ms",
        "thinker o3-mini tutor_turn · held · escalation",
    ]
    assert "Budget mode no_thinker · 8.4998 ¢ left, 88 ¢ held, escalations 2/5" in trail(carla.page).text()


@pytest.mark.usefixtures("unsure_network")
def test_a_second_opinion_is_told_with_what_came_of_it(carla: Person, provider: Provider) -> None:
    provider.always(says('{"verdict": "REJECT", "confidence": "high", "tricks": false}', used=Used(880, 20)))
    carla.mode("adaptive")
    carla.answer("Plants use light to cook their food")
    assert len(provider.calls) == 1
    told = facts(trail(carla.page).find("li")[0])
    opinion = dict(fact.split(" ") for fact in told["Second opinion"].split(" · "))
    assert (opinion["said"], opinion["confidence"], opinion["asked"]) == ("REJECT", "high", "true")
    assert (opinion["resultBefore"], opinion["outcome"], opinion["resultAfter"]) == ("PARTIAL", "moved", "REJECT")
    assert told["Calls"].startswith("thinker o3-mini escalate_grade · answered · 2.25 ¢ · ")
    assert told["Calls"].endswith(" ms · escalation")
    assert told["Verdict"].startswith("REJECT open.thinker · ")


def test_the_last_turns_are_shown_and_the_whole_session_is_a_click_away(carla: Person) -> None:
    for _ in range(2):
        for mode in ("adaptive", "deterministic"):
            carla.mode(mode)
    carla.walk(lambda somebody: somebody.dont_know())
    assert carla.page.finished
    session = Session.objects.get()
    shown = [node.one("h2").find("code")[0].text() for node in trail(carla.page).find("li")]
    assert shown == [f"turn:{session.version - back}" for back in range(1, 6)]
    address = trail(carla.page).one("a").attrs["href"]
    assert carla.client.get(address).status_code == 200


def test_before_the_first_turn_there_is_nothing_to_tell(make_lesson: LessonMaker, staff: User, client: Client) -> None:
    make_lesson()
    client.force_login(staff, "django.contrib.auth.backends.ModelBackend")
    one = Person(client)
    assert "No turn so far." in trail(one.start("light")).text()


@pytest.mark.parametrize("who", ["a guest", "a learner", "staff without the setting", "staff without their code"])
def test_nobody_else_has_a_byte_of_it(
    make_lesson: LessonMaker, learner: User, staff: User, client: Client, settings: Settings, who: str
) -> None:
    make_lesson()
    if who != "a guest":
        user = learner if who == "a learner" else staff
        client.force_login(user, "django.contrib.auth.backends.ModelBackend")
    if who == "staff without their code":
        assert staff.role == Role.STAFF
        settings.STAFF_WITHOUT_SECOND_FACTOR = ""
    one = Person(client)
    settings.ENGINE_DEBUG = who != "staff without the setting"
    one.start("light")
    one.go_to_question()
    one.answer("They need it to sleep")
    spend_cents(Session.objects.get().pk, 2, subject="turn:1")
    shown = one.look()
    settings.ENGINE_DEBUG = False
    assert comparable(shown.html) == comparable(one.look().html)
    for word in ("decisions", "Decision trail", "turn:1", "o3-mini", "not asked"):
        assert word not in shown.html


def test_it_takes_three_queries_and_only_of_staff_with_the_setting(
    carla: Person, settings: Settings, django_assert_num_queries: Queries
) -> None:
    settings.ENGINE_DEBUG = False
    with django_assert_num_queries(5):
        carla.client.get(carla.address)
    settings.ENGINE_DEBUG = True
    with django_assert_num_queries(5 + 3):  # the turns; the calls; the escalations
        carla.client.get(carla.address)


def test_calls_of_a_chain_are_bounded_to_the_latest(carla: Person) -> None:
    session = Session.objects.get()
    for number in range(3):
        spend_cents(session.pk, 1, Tier.EMBED, subject=f"turn:{number}")
    begun = session.started_at
    assert [call.subject for call in calls_of(str(session.pk), begun)] == ["turn:0", "turn:1", "turn:2"]
    later = calls_of(str(session.pk), begun)[1].reserved_at
    assert [call.subject for call in calls_of(str(session.pk), later)] == ["turn:1", "turn:2"]
    assert calls_of("another", begun) == []
    for _ in range(CALLS_AT_MOST):
        hold_cents(session.pk, Decimal("0.001"), Tier.EMBED, subject="turn:3")
    assert {call.subject for call in calls_of(str(session.pk), begun)} == {"turn:3"}
