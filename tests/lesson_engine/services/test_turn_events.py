"""What a turn leaves in the audit trail, and what not."""

import json
from collections.abc import Callable
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from lesson_engine.models import LearnerText, LessonVersion, Mode, Session, Turn
from lesson_engine.services import turns
from lesson_engine.services.turns import state_of
from lesson_engine.services.words import words_digest, words_erase
from telemetry.chains.verification import chains_verify
from telemetry.contracts import timestamp_jsonl
from telemetry.models import Event
from tests.conftest import LessonMaker, ask, number
from tests.lesson_engine.learn.pages import Page, Person
from tests.lesson_engine.services.conftest import IN_OTHER_WORDS, RIGHT, WRONG, answer, fresh, key


def events(session: Session, since: int = 0) -> list[tuple[str, dict[str, Any]]]:
    rows = Event.objects.filter(chain_id=str(session.pk), seq__gt=since).order_by("seq")
    return [(row.event, row.data) for row in rows]


def names(session: Session, since: int = 0) -> list[str]:
    return [name for name, _ in events(session, since)]


def test_a_session_begins_with_its_start_and_its_steps(asking: Session) -> None:
    assert names(asking) == ["session.started", "engine.turn.start", "step.shown"]
    assert events(asking)[0][1] == {"lessonVersion": asking.lesson_version_id, "limitCents": 100}
    shown = events(asking)[2][1]
    assert (shown["step"], shown["type"]) == ("moments[0].steps[1]", "ASK")


@pytest.mark.usefixtures("wrong_network")
def test_a_wrong_answer_leaves_the_documented_events_in_order(asking: Session) -> None:
    seen = len(events(asking))
    answer(asking, IN_OTHER_WORDS)
    mine = events(asking, seen)
    assert [name for name, _ in mine] == [
        "engine.turn.start",
        "evaluation.result",
        "advancement.reject",
    ]
    start, evaluated, rejected = (data for _, data in mine)
    assert (start["kind"], start["turn"], start["askCode"]) == ("answer", 1, "ASK_001")
    assert start["startedAt"] == timestamp_jsonl(Turn.objects.get(kind="answer").started_at)
    assert start["answerHash"] == words_digest(LearnerText.objects.get())
    assert (evaluated["askCode"], evaluated["result"], evaluated["attempts"]) == ("ASK_001", "REJECT", 1)
    assert evaluated["first"] is True
    assert evaluated["deviation"] in ("ON_TOPIC", "VAGUE", "OFF_TOPIC")
    assert 0 <= evaluated["score"] <= 1
    assert rejected == {"askCode": "ASK_001", "attempts": 1, "closed": False, "outcome": "open"}


def test_a_right_answer_is_accepted_and_the_last_step_finishes(asking: Session) -> None:
    seen = len(events(asking))
    answer(asking, RIGHT)
    assert names(asking, seen)[1:] == ["evaluation.result", "advancement.accept"]
    assert events(asking, seen)[1][1]["result"] == "ACCEPT"
    assert events(asking, seen)[2][1] == {"askCode": "ASK_001", "attempts": 1}
    now = fresh(asking)
    turns.session_continue(session=now, version=now.version, key=key())
    answer(asking, "6")
    now = fresh(asking)
    turns.session_continue(session=now, version=now.version, key=key())
    name, data = events(asking)[-1]
    assert name == "session.finished"
    ended = {outcome: data[outcome] for outcome in ("mastered", "shown", "skipped", "reported", "voided")}
    assert ended == {"mastered": 2, "shown": 0, "skipped": 0, "reported": 0, "voided": 0}


@pytest.mark.parametrize("reply", [RIGHT, WRONG, "", "I don't know"])
def test_what_the_author_wrote_and_what_is_no_answer_is_judged_without_the_embedder(
    asking: Session, reply: str
) -> None:
    answer(asking, reply)
    assert "budget.usage" not in names(asking)


@pytest.mark.usefixtures("wrong_network")
@pytest.mark.parametrize(("policy", "asked"), [("word_ratio", False), ("semantic", True)])
def test_words_of_ones_own_are_graded_without_the_embedder_which_says_whether_they_are_on_topic(
    asking: Session, settings: Settings, policy: str, asked: bool
) -> None:
    settings.DEVIATION_POLICY = policy
    answer(asking, IN_OTHER_WORDS)
    assert ("budget.usage" in names(asking)) is asked


def test_a_number_is_judged_without_the_embedder(
    make_lesson: LessonMaker, start: Callable[[LessonVersion], Session]
) -> None:
    session = start(make_lesson(number()))
    answer(session, "7")
    assert "budget.usage" not in names(session)


def test_an_embedder_that_was_asked_only_for_the_deviation_is_on_record(
    make_lesson: LessonMaker, start: Callable[[LessonVersion], Session]
) -> None:
    session = start(make_lesson(ask(answer={"kind": "list", "items": [["water"], ["carbon dioxide"]]})))
    answer(session, "soil")
    (used,) = [data for name, data in events(session) if name == "budget.usage"]
    assert used == {"tier": "embed", "model": "use-multilingual-3", "costMicrocents": 0}


@pytest.mark.parametrize(("reply", "result"), [(RIGHT, "ACCEPT"), (WRONG, "REJECT"), ("", "NOT_GRADABLE")])
def test_results_are_in_capitals(asking: Session, reply: str, result: str) -> None:
    answer(asking, reply)
    found = dict(events(asking))["evaluation.result"]
    assert found["result"] == result == Turn.objects.get(kind="answer").result


def test_hints_skips_and_modes_leave_their_events(asking: Session) -> None:
    now = fresh(asking)
    seen = len(events(asking))
    turns.session_hint(session=now, version=now.version, key=key())
    turns.session_set_mode(session=now, mode=Mode.ADAPTIVE, key=key())
    assert events(asking, seen)[1] == ("hint.shown", {"askCode": "ASK_001", "hint": 1})
    assert events(asking, seen)[3] == ("mode.changed", {"mode": "adaptive"})
    assert set(Event.objects.filter(seq__gt=seen + 2).values_list("mode", flat=True)) == {"adaptive"}
    answer(asking, "no idea")
    answer(asking, "I don't know")
    now = fresh(asking)
    while state_of(now).phase == "micro":
        now = turns.session_continue(session=now, version=now.version, key=key())
    seen = len(events(asking))
    turns.session_skip(session=now, version=now.version, key=key())
    assert events(asking, seen)[1] == (
        "advancement.reject",
        {"askCode": "ASK_001", "attempts": 2, "closed": True, "outcome": "skipped"},
    )


def test_what_the_planner_does_is_on_record_with_the_documented_names(
    make_lesson: LessonMaker, start: Callable[[LessonVersion], Session]
) -> None:
    session = start(make_lesson(ask(), ask("ASK_002")))
    turns.session_set_mode(session=session, mode=Mode.ADAPTIVE, key=key())
    answer(session, "I don't know")
    planned = dict(events(session))["adaptation.planned"]
    assert planned["askCode"] == "ASK_001"
    assert planned["op"] in ("reask", "hint", "goto", "repeat", "insert_micro")
    assert set(planned) <= {"askCode", "op", "targetAskCode", "note", "reason"}


def test_a_hint_that_the_planner_gives_is_on_record_as_shown(
    make_lesson: LessonMaker, start: Callable[[LessonVersion], Session]
) -> None:
    known = {"code": "sleep", "examples": [WRONG], "feedback": "Plants do not sleep."}
    session = start(make_lesson(ask(misconceptions=[known]), policy={"operations": ["hint"]}))
    turns.session_set_mode(session=session, mode=Mode.ADAPTIVE, key=key())
    seen = len(events(session))
    answer(session, WRONG)
    mine = dict(events(session, seen))
    assert mine["adaptation.planned"]["op"] == "hint"
    assert mine["hint.shown"] == {"askCode": "ASK_001", "hint": 1}
    assert names(session, seen).index("adaptation.planned") + 1 == names(session, seen).index("hint.shown")


def test_the_export_prints_them_in_the_documented_form(asking: Session) -> None:
    answer(asking, WRONG)
    out = StringIO()
    call_command("export_telemetry", "--chain", str(asking.pk), stdout=out)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert [line["event"] for line in lines] == names(asking)
    for line in lines:
        assert list(line) == ["timestamp", "level", "event", "sessionId", "data"]
        assert line["sessionId"] == str(asking.pk)
        assert line["timestamp"].endswith("Z")


@pytest.mark.parametrize("mode", list(Mode))
def test_a_learners_words_stand_nowhere_in_the_audit_trail(asking: Session, mode: Mode) -> None:
    turns.session_set_mode(session=asking, mode=mode, key=key())
    for words in ("Zanahorias bailan tango", "Zanahorias cantan tango sugar", RIGHT + " Zanahorias tango"):
        now = fresh(asking)
        while state_of(now).phase == "micro":
            now = turns.session_continue(session=now, version=now.version, key=key())
        if state_of(now).phase == "asking":
            answer(asking, words)
    out = StringIO()
    call_command("export_telemetry", stdout=out)
    assert "anahorias" not in out.getvalue()
    assert "tango" not in out.getvalue()


def test_erasing_words_leaves_chains_whole_and_pages_working(asking: Session, learner: User, client: Client) -> None:
    answer(asking, "Zanahorias bailan tango")
    client.force_login(learner, "django.contrib.auth.backends.ModelBackend")
    address = f"/sessions/{asking.pk}/"
    assert "Zanahorias" in Page(client.get(address)).typed
    assert words_erase(user_id=learner.pk) == 1
    assert words_erase(user_id=learner.pk) == 0
    words = LearnerText.objects.get()
    assert (words.text, words.choices, words.salt) == (None, None, None)
    assert "Zanahorias" not in Page(client.get(address)).html
    assert {check.fault for check in chains_verify()} == {None}
    assert "Zanahorias" not in json.dumps([list(Turn.objects.values_list("verdict", flat=True)), fresh(asking).state])
    one = Person(client)
    one.address = address
    one.look()
    one.walk(lambda somebody: somebody.dont_know())


KINDS: dict[str, dict[str, Any]] = {
    "open": {"accepted": [RIGHT], "keyword_groups": [["sugar"], ["water"]]},
    "list": {"items": [["water"], ["carbon dioxide"]]},
    "procedure": {"steps": [["take in light"], ["make sugar"]]},
    "numeric": {"value": 6, "unit": "kg"},
}
TELLING = "sugar without water, water, not light, 7 zanahorias\nmake sugar\nZanahorias bailan tango"


@pytest.mark.parametrize("kind", KINDS)
def test_erased_words_are_in_no_row_any_more(
    make_lesson: LessonMaker, start: Callable[[LessonVersion], Session], learner: User, kind: str
) -> None:
    session = start(make_lesson(ask(answer={"kind": kind, **KINDS[kind]})))
    answer(session, TELLING)
    words_erase(user_id=learner.pk)
    kept = json.dumps([list(Turn.objects.values_list("verdict", "command")), fresh(session).state], default=str)
    assert "zanahorias" not in kept.lower()
    assert "tango" not in kept
    assert Turn.objects.filter(verdict__has_key="rule").exists()
    assert state_of(fresh(session)).notice


def test_erasing_leaves_other_peoples_words(asking: Session, stranger: User) -> None:
    answer(asking, WRONG)
    assert words_erase(user_id=stranger.pk) == 0
    assert LearnerText.objects.get().text == WRONG
