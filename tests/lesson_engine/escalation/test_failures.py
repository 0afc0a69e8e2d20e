"""Whatever goes wrong with a second opinion: the rules' verdict stands, the lesson goes on, the trail says why."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from gateway.models import Account, Price
from gateway.operations import registry as operations
from lesson_engine.contracts import Reply, Verdict, VerdictResult
from lesson_engine.escalation import asking
from lesson_engine.models import Session, Turn
from lesson_engine.services import turns
from lesson_engine.services.paying import thinker_may_help
from lesson_engine.services.turns import state_of, turn_take_up
from tests.gateway.spending import spend_down_to
from tests.lesson_engine.admin.conftest import desk
from tests.lesson_engine.escalation.conftest import (
    PARTLY,
    UNSURE_SCORE,
    account,
    answer,
    fresh,
    holds,
    key,
    last_turn,
    opinion,
    told,
    verdict_of,
)
from tests.lesson_engine.learn.pages import Page
from tests.lesson_engine.services.conftest import RIGHT, turn_begun
from tests.lesson_engine.services.threads import at_once
from tests.provider import Behaviour, Provider, cuts, fails, garbage, hangs, says, wrong_schema, wrong_shape

__all__ = ("desk",)


def assert_rules_stood(session: Session, outcome: str) -> dict[str, Any]:
    """The verdict is the rules', nothing is held, and the event says what happened; its data."""
    verdict = verdict_of(session)
    assert (verdict["result"], verdict["rule"], verdict["score"]) == ("PARTIAL", "open.semantic", UNSURE_SCORE)
    assert verdict["doubtful"]
    assert "thinker" not in verdict["details"]
    record = state_of(fresh(session)).record("ASK_001")
    assert (record.attempts, record.asked_again) == (0, True)
    assert account(session).held == 0
    event = told(session, "escalation.triggered")[-1]
    assert (event["outcome"], event["resultBefore"], event["resultAfter"]) == (outcome, "PARTIAL", "PARTIAL")
    assert "said" not in event
    call_command("audit_verify")
    return event


@pytest.mark.parametrize(
    ("behaviour", "outcome"),
    [
        (fails(500), "unavailable"),
        (fails(400), "unavailable"),
        (garbage(), "unavailable"),
        (wrong_shape(), "unavailable"),
        (cuts(), "unavailable"),
        (wrong_schema(), "schema_not_met"),
        (says("The answer is: ACCEPT"), "schema_not_met"),
        (says('{"verdict": "ACCEPTED", "confidence": "high", "tricks": false}'), "schema_not_met"),
        (says('{"verdict": "ACCEPT", "confidence": 1, "tricks": false, "note": "water"}'), "schema_not_met"),
        (fails(429, retry_after=60), "unavailable"),
    ],
)
def test_a_provider_that_fails_leaves_the_rules_verdict(
    adaptive: Session, provider: Provider, behaviour: Behaviour, outcome: str
) -> None:
    provider.always(behaviour)
    answer(adaptive, PARTLY)
    event = assert_rules_stood(adaptive, outcome)
    assert event["costMicrocents"] == sum(hold.cost or 0 for hold in holds(adaptive)) == account(adaptive).spent
    assert event["asked"] is True


def test_a_provider_that_hangs_is_waited_for_no_longer_than_the_operation_may_take(
    adaptive: Session, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = asking.OPERATION._replace(timeout_ms=800)
    monkeypatch.setitem(operations._operations, short.name, short)
    provider.always(hangs())
    answer(adaptive, PARTLY)
    event = assert_rules_stood(adaptive, "timed_out")
    assert event["costMicrocents"] == holds(adaptive)[0].cost
    assert holds(adaptive)[0].unverified
    provider.wait_gone()


def test_a_second_try_may_bring_the_opinion(adaptive: Session, provider: Provider) -> None:
    provider.next(fails(500), opinion("ACCEPT"))
    answer(adaptive, PARTLY)
    assert verdict_of(adaptive)["result"] == "ACCEPT"
    assert account(adaptive).escalations_used == 1
    event = told(adaptive, "escalation.triggered")[-1]
    assert event["costMicrocents"] == account(adaptive).spent


def budget(session: Session, **changes: int) -> None:
    Account.objects.filter(scope="session", key=str(session.pk)).update(**changes)


def test_with_too_little_money_nobody_is_asked_and_the_doubt_is_why_it_is_asked_again(
    adaptive: Session, provider: Provider
) -> None:
    budget(adaptive, spent=91_000_000, spent_cheap=91_000_000)
    answer(adaptive, PARTLY)
    event = assert_rules_stood(adaptive, "refused_budget")
    assert (event["asked"], event["costMicrocents"]) == (False, 0)
    assert provider.calls == []
    assert told(adaptive, "adaptation.planned")[-1]["reason"] == "SEM_LOW"


def test_ten_cents_are_enough(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("PARTIAL"))
    budget(adaptive, spent=90_000_000, spent_cheap=90_000_000)
    answer(adaptive, PARTLY)
    assert len(provider.calls) == 1


def test_with_all_escalations_used_nobody_is_asked(adaptive: Session, provider: Provider) -> None:
    budget(adaptive, escalations_used=5)
    answer(adaptive, PARTLY)
    assert_rules_stood(adaptive, "refused_escalations")
    assert provider.calls == []
    assert told(adaptive, "adaptation.planned")[-1]["reason"] == "SEM_LOW"


def test_with_the_learners_day_used_up_nobody_is_asked(
    adaptive: Session, provider: Provider, settings: Settings
) -> None:
    settings.USER_DAY_BUDGET_CENTS = 1
    answer(adaptive, PARTLY)
    assert_rules_stood(adaptive, "refused_budget")
    assert provider.calls == []


def test_a_model_without_a_price_is_not_asked(adaptive: Session, provider: Provider, settings: Settings) -> None:
    settings.THINKER_MODEL = "nobody-knows"
    assert not Price.objects.filter(model="nobody-knows").exists()
    answer(adaptive, PARTLY)
    event = assert_rules_stood(adaptive, "unavailable")
    assert (event["asked"], event["model"]) == (False, "nobody-knows")
    assert provider.calls == []


def test_a_session_without_an_account_is_judged_by_the_rules(adaptive: Session, provider: Provider) -> None:
    Account.objects.filter(scope="session", key=str(adaptive.pk)).update(key="elsewhere")
    answer(adaptive, PARTLY)
    assert verdict_of(adaptive)["rule"] == "open.semantic"
    assert provider.calls == []


def test_a_repair_that_the_account_refuses_is_no_refused_escalation(adaptive: Session, provider: Provider) -> None:
    spend_down_to(adaptive.pk, 10.2)
    provider.always(wrong_schema())
    answer(adaptive, PARTLY)
    event = assert_rules_stood(adaptive, "schema_not_met")
    assert (event["asked"], event["costMicrocents"]) == (True, holds(adaptive)[-1].cost)
    assert len(provider.calls) == 1
    assert told(adaptive, "adaptation.planned")[-1]["reason"] == "SEM_LOW"


@pytest.mark.parametrize(("asked", "refused"), [(False, True), (None, True), (True, False)])
def test_whoever_was_asked_was_not_refused(asked: bool | None, refused: bool) -> None:
    before = Verdict(result=VerdictResult.PARTIAL, rule="open.semantic", score=0.38, grader="andamio-3")
    wanted = asking.Escalation("refused_budget", before, before.result, "o3-mini", asked)
    assert wanted.refused == refused


def test_a_second_try_that_the_account_refuses_is_none_either(adaptive: Session, provider: Provider) -> None:
    spend_down_to(adaptive.pk, 10.2)
    provider.always(fails(500))
    answer(adaptive, PARTLY)
    assert assert_rules_stood(adaptive, "unavailable")["asked"] is True
    assert len(provider.calls) == 1
    assert told(adaptive, "adaptation.planned")[-1]["reason"] == "SEM_LOW"


def test_with_the_database_away_afterwards_the_event_leaves_out_what_is_not_known(
    adaptive: Session, provider: Provider, desk: Client
) -> None:
    """The one query that looks up what was charged."""
    provider.always(fails(400))

    def away(execute: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        if sql.startswith('SELECT "gateway_hold"."outcome"'):
            raise OperationalError("the database is away")
        return execute(sql, *arguments)

    with connection.execute_wrapper(away):
        answer(adaptive, PARTLY)
    event = assert_rules_stood(adaptive, "unavailable")
    assert "asked" not in event
    assert "costMicrocents" not in event
    page = desk.get(reverse("admin:lesson_engine_session_change", args=[adaptive.pk]))
    assert "no model could be asked" in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_the_same_answer_sent_twice_at_once_is_asked_about_once(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("ACCEPT"))

    def send() -> Session:
        reply = Reply(text=PARTLY)
        return turns.session_answer(session=fresh(adaptive), version=adaptive.version, key="once", reply=reply)

    for session in at_once([send] * 4):
        assert session.version == adaptive.version + 1
    assert len(provider.calls) == 1
    assert account(adaptive).escalations_used == 1
    assert send().version == adaptive.version + 1
    assert len(provider.calls) == 1


def test_a_turn_that_is_taken_up_again_asks_nobody(adaptive: Session, provider: Provider) -> None:
    turn = turn_begun(adaptive, PARTLY, lease=timedelta(seconds=-1))
    assert turn_take_up(turn=turn)
    assert provider.calls == []
    verdict = verdict_of(adaptive)
    assert (verdict["result"], verdict["doubtful"]) == ("PARTIAL", True)
    assert told(adaptive, "escalation.triggered") == []


@pytest.mark.django_db(transaction=True)
def test_an_answer_that_waits_for_the_thinker_is_left_alone_for_thirty_seconds(
    adaptive: Session, provider: Provider
) -> None:
    provider.always(hangs(text='{"verdict": "ACCEPT", "confidence": "high", "tricks": false}'))
    seen: list[Turn] = []

    def send() -> None:
        answer(adaptive, PARTLY)

    def look() -> None:
        provider.wait_calls(1)
        seen.append(last_turn(adaptive))
        assert not turn_take_up(turn=seen[0])
        provider.release()

    at_once([send, look])
    running = seen[0]
    assert running.lease_until == running.started_at + timedelta(seconds=30)
    assert verdict_of(adaptive)["result"] == "ACCEPT"
    assert last_turn(adaptive).takes == 1


@pytest.mark.usefixtures("no_models")
def test_without_a_thinker_the_lease_is_as_short_as_ever(adaptive: Session) -> None:
    assert not thinker_may_help(adaptive)


@pytest.mark.parametrize(
    ("said", "behaviour"),
    [
        (PARTLY, opinion("PARTIAL")),
        (PARTLY, opinion("REJECT")),
        (PARTLY, opinion("ACCEPT", "medium")),
        (PARTLY, opinion("REJECT", "medium")),
        (PARTLY, says(RIGHT)),
    ],
)
def test_nothing_of_the_expected_answer_is_in_any_response_while_the_question_is_open(
    adaptive: Session, provider: Provider, learner: User, client: Client, said: str, behaviour: Behaviour
) -> None:
    provider.always(behaviour)
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    data = {"answer": said, "version": adaptive.version, "key": key(), "form": "text"}
    page = Page(client.post(f"/sessions/{adaptive.pk}/answers/", data, headers={"HX-Request": "true"}))
    assert state_of(fresh(adaptive)).is_open("ASK_001")
    shown = [page.html, Page(client.get(f"/sessions/{adaptive.pk}/")).html]
    shown += [client.get(f"/api/v1/sessions/{adaptive.pk}/{path}").content.decode() for path in ("", "turns/")]
    assert '"rule"' in shown[-1]
    for text in shown:
        assert RIGHT not in text
        assert "carbon dioxide" not in text
    stored = json.dumps(told(adaptive, "escalation.triggered"))
    assert "carbon" not in stored
    assert said not in stored
