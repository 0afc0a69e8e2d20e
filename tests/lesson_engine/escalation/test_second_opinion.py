"""The thinker is asked when the grader is unsure, once, and what it says moves the verdict by one step at most.

Through the real door, with a real server behind it.
"""

import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import User
from gateway.models import OperationTiming
from lesson_engine.authoring.preview import preview_answer, preview_begin, preview_set_mode
from lesson_engine.contracts import Reply
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import Mode, Session
from lesson_engine.services import answering, turns
from lesson_engine.services.turns import state_of
from tests.conftest import LessonMaker, ask
from tests.lesson_engine.escalation.conftest import (
    ATTACK,
    CONTRADICTS,
    PARTLY,
    SLY,
    UNSURE_SCORE,
    Start,
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
from tests.lesson_engine.services.conftest import RIGHT, WRONG
from tests.provider import Provider, says


def test_an_unsure_answer_is_asked_about_once_and_moves_one_step(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("ACCEPT"))
    answer(adaptive, PARTLY)
    assert len(provider.calls) == 1
    verdict = verdict_of(adaptive)
    assert (verdict["result"], verdict["rule"], verdict["provenance"]) == ("ACCEPT", "open.thinker", "model")
    assert (verdict["feedback"], verdict["score"]) == ("Well done.", 0.75)
    assert verdict["details"]["thinker"]["deterministic"] == {
        "result": "PARTIAL",
        "rule": "open.semantic",
        "score": UNSURE_SCORE,
    }
    assert state_of(fresh(adaptive)).record("ASK_001").outcome == "mastered"
    assert ("doubtful" in verdict, fresh(adaptive).doubtful) == (False, 0)


def test_where_the_opinion_is_not_quite_sure_the_learner_is_asked_again(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("ACCEPT", "medium"))
    answer(adaptive, PARTLY)
    assert (verdict_of(adaptive)["result"], verdict_of(adaptive)["doubtful"]) == ("ACCEPT", True)
    record = state_of(fresh(adaptive)).record("ASK_001")
    assert (record.outcome, record.attempts, record.asked_again) == ("open", 0, True)
    assert fresh(adaptive).doubtful == 1


def test_what_a_sure_opinion_calls_wrong_costs_an_attempt(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("REJECT"))
    answer(adaptive, PARTLY)
    record = state_of(fresh(adaptive)).record("ASK_001")
    assert (record.outcome, record.attempts, record.asked_again) == ("open", 1, False)


@pytest.mark.parametrize(
    ("said", "opined", "result", "outcome"),
    [
        (PARTLY, "ACCEPT", "ACCEPT", "moved"),
        (PARTLY, "PARTIAL", "PARTIAL", "agreed"),
        (PARTLY, "REJECT", "REJECT", "moved"),
        (CONTRADICTS, "REJECT", "REJECT", "moved"),
        (CONTRADICTS, "ACCEPT", "PARTIAL", "kept"),
    ],
)
def test_by_one_step_and_never_past_a_contradiction(
    adaptive: Session, provider: Provider, said: str, opined: str, result: str, outcome: str
) -> None:
    provider.always(opinion(opined))
    answer(adaptive, said)
    assert verdict_of(adaptive)["result"] == result
    assert [event["outcome"] for event in told(adaptive, "escalation.triggered")] == [outcome]


def test_the_request_is_for_the_thinker_and_holds_what_was_asked_and_answered(
    adaptive: Session, provider: Provider
) -> None:
    provider.always(opinion("PARTIAL"))
    answer(adaptive, PARTLY)
    body = provider.bodies[0]
    assert body["model"] == "o3-mini"
    assert body["max_completion_tokens"] == 600
    assert body["response_format"]["json_schema"]["name"] == "Opinion"
    data = json.loads(body["messages"][1]["content"])
    assert (data["reply"], data["accepted"], data["language"]) == (PARTLY, [RIGHT], "en")


def test_the_account_pays_and_the_escalation_is_counted(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("ACCEPT"))
    answer(adaptive, PARTLY)
    hold, money = holds(adaptive)[0], account(adaptive)
    assert (hold.state, hold.escalation, hold.subject) == ("settled", True, f"turn:{last_turn(adaptive).version}")
    assert (hold.operation, hold.agent, hold.course, hold.mode) == ("escalate_grade", "tutor", "light", "adaptive")
    assert hold.user_id == adaptive.user_id
    assert money.spent == money.spent_thinker == hold.cost
    assert (money.held, money.escalations_used) == (0, 1)
    assert hold.amount <= 10_000_000
    timing = OperationTiming.objects.get(operation="escalate_grade")
    assert (timing.operation, timing.outcome, timing.target_ms) == ("escalate_grade", "done", 3000)
    call_command("audit_verify")


def test_what_happened_is_in_the_sessions_chain(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("ACCEPT", "medium"))
    answer(adaptive, PARTLY)
    cost = holds(adaptive)[0].cost
    assert told(adaptive, "escalation.triggered") == [
        {
            "askCode": "ASK_001",
            "rule": "open.semantic",
            "score": UNSURE_SCORE,
            "resultBefore": "PARTIAL",
            "outcome": "moved",
            "resultAfter": "ACCEPT",
            "model": "o3-mini",
            "asked": True,
            "costMicrocents": cost,
            "said": "ACCEPT",
            "confidence": "medium",
        }
    ]
    used = next(event for event in told(adaptive, "budget.usage") if event["tier"] == "thinker")
    assert (used["costMicrocents"], used["subject"]) == (cost, f"turn:{last_turn(adaptive).version}")
    assert told(adaptive, "evaluation.result")[-1]["result"] == "ACCEPT"


@pytest.mark.parametrize("said", [RIGHT, WRONG, ATTACK, "I don't know", "", "asdfgh", "Give me the answer"])
def test_sure_answers_attacks_and_no_attempts_are_asked_of_nobody(
    adaptive: Session, provider: Provider, said: str
) -> None:
    answer(adaptive, said)
    assert provider.calls == []
    assert told(adaptive, "escalation.triggered") == []
    assert holds(adaptive) == []


def test_in_deterministic_mode_nobody_is_asked(adaptive: Session, provider: Provider) -> None:
    turns.session_set_mode(session=fresh(adaptive), mode=Mode.DETERMINISTIC, key=key())
    answer(adaptive, PARTLY)
    assert verdict_of(adaptive)["doubtful"]
    assert provider.calls == []


def test_an_authors_preview_asks_nobody(adaptive: Session, provider: Provider) -> None:
    outline = outline_of(adaptive.lesson_version_id)
    began = preview_begin(outline, version_id=adaptive.lesson_version_id, author_id=adaptive.user_id)
    at_question = preview_set_mode(began.model_copy(update={"state": state_of(fresh(adaptive))}), Mode.ADAPTIVE)
    done = preview_answer(outline, at_question, Reply(text=PARTLY))
    assert done.state.notice
    assert done.state.notice.verdict
    assert done.state.notice.verdict.doubtful
    assert provider.calls == []


@pytest.mark.usefixtures("no_models")
def test_without_a_thinker_the_verdict_is_as_it_always_was(adaptive: Session) -> None:
    turns.session_set_mode(session=fresh(adaptive), mode=Mode.DETERMINISTIC, key=key())
    answer(adaptive, PARTLY)
    alone = json.dumps(verdict_of(adaptive))
    turns.session_set_mode(session=fresh(adaptive), mode=Mode.ADAPTIVE, key=key())
    answer(adaptive, PARTLY)
    assert json.dumps(verdict_of(adaptive)) == alone
    assert told(adaptive, "escalation.triggered") == []
    assert not OperationTiming.objects.filter(operation="escalate_grade").exists()


def test_a_thinker_that_is_not_named_is_asked_nothing(
    adaptive: Session, provider: Provider, settings: Settings
) -> None:
    settings.THINKER_MODEL = ""
    answer(adaptive, PARTLY)
    assert provider.calls == []
    assert verdict_of(adaptive)["rule"] == "open.semantic"


def test_a_model_that_obeys_the_learner_moves_the_verdict_by_one_step_alone(
    adaptive: Session, provider: Provider
) -> None:
    provider.always(says(lambda body: str(opinion("ACCEPT").text) if "counts as right" in str(body) else "{}"))
    answer(adaptive, SLY)
    before, after = told(adaptive, "escalation.triggered")[0], verdict_of(adaptive)
    assert len(provider.calls) == 1
    assert (before["resultBefore"], after["result"]) == ("PARTIAL", "ACCEPT")
    assert (after["rule"], after["provenance"]) == ("open.thinker", "model")


def test_what_the_rules_call_an_attack_advances_nobody_whatever_a_model_would_say(
    adaptive: Session, provider: Provider
) -> None:
    provider.always(opinion("ACCEPT"))
    answer(adaptive, ATTACK)
    assert provider.calls == []
    assert (verdict_of(adaptive)["result"], verdict_of(adaptive)["doubtful"]) == ("PARTIAL", True)
    assert fresh(adaptive).attacks == 1
    assert state_of(fresh(adaptive)).is_open("ASK_001")


def test_where_nobody_knows_whether_it_is_an_attack_no_model_is_asked(
    adaptive: Session, provider: Provider, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> bool:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(answering, "looks_like_attack", broken)
    answer(adaptive, PARTLY)
    assert provider.calls == []
    assert (verdict_of(adaptive)["result"], fresh(adaptive).attacks) == ("PARTIAL", 0)
    assert "attackLike" not in told(adaptive, "evaluation.result")[-1]


def test_who_pays_is_known_without_asking_for_the_learner_again(
    adaptive: Session, provider: Provider, learner: User, client: Client
) -> None:
    provider.always(opinion("ACCEPT"))
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    data = {"answer": PARTLY, "version": adaptive.version, "key": key(), "form": "text"}
    with CaptureQueriesContext(connection) as queries:
        assert client.post(f"/sessions/{adaptive.pk}/answers/", data, headers={"HX-Request": "true"}).status_code == 200
    assert len(provider.calls) == 1
    assert len([sql for sql in queries if 'FROM "accounts_user"' in sql["sql"]]) == 1


def test_an_answer_that_the_thinker_calls_a_trick_keeps_its_verdict_and_is_shown_to_staff(
    adaptive: Session, provider: Provider
) -> None:
    provider.always(opinion("ACCEPT", tricks=True))
    answer(adaptive, SLY)
    assert (verdict_of(adaptive)["result"], verdict_of(adaptive)["doubtful"]) == ("PARTIAL", True)
    assert fresh(adaptive).attacks == 1
    assert told(adaptive, "evaluation.result")[-1]["attackLike"] is True
    assert told(adaptive, "escalation.triggered")[-1]["tricks"] is True


def test_a_sure_opinion_that_agrees_takes_the_doubt_away(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("PARTIAL"))
    answer(adaptive, PARTLY)
    assert "doubtful" not in verdict_of(adaptive)
    assert fresh(adaptive).doubtful == 0


def test_the_planner_says_that_the_second_opinion_asked_for_its_move(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("REJECT"))
    answer(adaptive, PARTLY)
    assert told(adaptive, "adaptation.planned")[-1]["reason"] == "THINKER_ESCALATION"
    answer(adaptive, PARTLY)
    assert told(adaptive, "adaptation.planned")[-1]["reason"] == "THINKER_ESCALATION"


def test_where_nothing_moved_the_planner_has_its_own_reasons(adaptive: Session, provider: Provider) -> None:
    provider.always(opinion("PARTIAL"))
    answer(adaptive, PARTLY)
    assert told(adaptive, "adaptation.planned")[-1]["reason"] == "SEM_LOW"


def test_a_definition_may_be_asked_about_too(make_lesson: LessonMaker, start: Start, provider: Provider) -> None:
    defined = {"kind": "definition", "term": "sugar making", "accepted": [RIGHT]}
    session = start(make_lesson(ask(answer=defined)))
    turns.session_set_mode(session=session, mode=Mode.ADAPTIVE, key=key())
    provider.always(opinion("ACCEPT"))
    answer(session, PARTLY)
    assert verdict_of(session)["rule"] == "definition.thinker"
