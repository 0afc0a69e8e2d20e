"""Comparing and the learner's own word as turns: what is stored, what is on record, and what stays."""

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from lesson_engine.contracts import TopicDeviation, Verdict
from lesson_engine.errors import ActionNotPossible, KeyReused, StaleSession
from lesson_engine.explanations.session import earlier_try
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import LearnerText, Mode, Session, Turn
from lesson_engine.player.state import OwnWord
from lesson_engine.player.zones import own_verdict
from lesson_engine.selectors import session_turns_page
from lesson_engine.services import turn_events, turns
from lesson_engine.services.answering import Judgement, verdict_count
from lesson_engine.services.questions import question_void
from lesson_engine.services.rescoring import void_work
from lesson_engine.services.sessions import session_start
from lesson_engine.services.words import words_erase
from lesson_engine.timeline.replay import replay
from tests.lesson_engine.comparing.conftest import ODD, compare, say, unsure_answer
from tests.lesson_engine.player.walks import unsure, verdict
from tests.lesson_engine.unsure import make_judged, move_unsure
from tests.lesson_engine.workbench.conftest import RIGHT, answer, answers, events, fresh, go_on, key, report, state
from tests.routing.audit_hands import faults, tamper


def last(session: Session) -> Turn:
    return Turn.objects.filter(session=session).latest("version")


def names(session: Session) -> list[str]:
    return [name for name, _ in events(session)]


def test_comparing_is_a_turn_of_its_own(asking: Session) -> None:
    unsure_answer(asking)
    compare(asking)
    turn = last(asking)
    assert (turn.kind, turn.ask_code, turn.state, turn.verdict) == ("compare", "ASK_001", "done", None)
    assert state(asking).phase == "comparing"
    assert names(asking)[-1] == "engine.turn.start"


@pytest.mark.parametrize(
    ("word", "result", "outcome"),
    [("yes", "ACCEPT", "mastered"), ("partly", "PARTIAL", "shown"), ("no", "REJECT", "shown")],
)
def test_the_own_word_is_a_turn_with_a_verdict_about_the_answer(
    comparing: Session, word: OwnWord, result: str, outcome: str
) -> None:
    say(comparing, word)
    turn = last(comparing)
    assert (turn.kind, turn.result, turn.deviation) == ("self_assessment", result, "")
    assert turn.verdict == own_verdict(word).model_dump(mode="json", exclude_defaults=True)
    assert turn.about == answers(comparing)[1], "the last answer to the question"
    assert state(comparing).record("ASK_001").outcome == outcome
    assert fresh(comparing).dead_ends == 0


def test_what_the_own_word_leaves_in_the_trail(comparing: Session) -> None:
    say(comparing, "yes")
    start, evaluated, ended = events(comparing)[-3:]
    assert (start[0], start[1]["kind"], start[1]["askCode"]) == ("engine.turn.start", "self_assessment", "ASK_001")
    assert evaluated == (
        "evaluation.result",
        {
            "askCode": "ASK_001",
            "result": "ACCEPT",
            "rule": "self.yes",
            "score": 1.0,
            "grader": "learner",
            "doubtful": False,
            "zone": "self",
            "provenance": "self",
            "attempts": 1,
        },
    )
    assert ended == ("advancement.accept", {"askCode": "ASK_001", "attempts": 1, "ownWord": "yes"})


def test_a_no_ends_with_a_rejection(comparing: Session) -> None:
    say(comparing, "no")
    name, data = events(comparing)[-1]
    assert name == "advancement.reject"
    assert data == {"askCode": "ASK_001", "attempts": 1, "closed": True, "outcome": "shown", "ownWord": "no"}


def test_the_end_of_a_session_tells_own_words_apart(comparing: Session) -> None:
    say(comparing, "yes")
    go_on(comparing)
    answer(comparing, "6")
    go_on(comparing)
    name, data = events(comparing)[-1]
    assert (name, data["mastered"], data["byOwnWord"]) == ("session.finished", 2, 1)


@pytest.mark.parametrize("mode", list(Mode))
def test_an_answer_in_doubt_tells_its_zone_and_that_it_is_asked_again(asking: Session, mode: Mode) -> None:
    """The events of an answer, made from what it was judged."""
    answer(asking, RIGHT)
    outline, judged = outline_of(asking.lesson_version_id), unsure()
    before = state(asking).model_copy(update={"phase": "asking", "asks": {}, "notice": None})
    command, after = verdict_count(outline, before, mode, judged, TopicDeviation.ON_TOPIC)
    done = Judgement(
        ask=outline.ask("ASK_001"),
        verdict=judged,
        deviation=TopicDeviation.ON_TOPIC,
        command=command,
        state=after,
        embedded=False,
        attack_like=False,
    )
    turn = answers(asking).get()
    drafts = turn_events.of_answer(outline, turn, LearnerText.objects.get(pk=turn.pk), before, done, None)
    data = {draft.event: draft.data for draft in drafts}
    assert [*data] == ["engine.turn.start", "evaluation.result", "adaptation.planned", "advancement.reject"]
    told = data["evaluation.result"]
    assert (told["result"], told["zone"], told["provenance"], told["doubtful"]) == (
        "PARTIAL",
        "not_sure",
        "rules",
        True,
    )
    assert (told["attempts"], told["first"], told["reason"]) == (0, True, "SEM_LOW")
    assert data["adaptation.planned"] == {"askCode": "ASK_001", "op": "reask", "reason": "SEM_LOW"}
    assert data["advancement.reject"] == {"askCode": "ASK_001", "attempts": 0, "closed": False, "outcome": "open"}


@pytest.mark.parametrize("first", [unsure(), verdict(provenance="rules")])
def test_what_comes_after_a_spared_or_wrong_answer_is_not_the_first(asking: Session, first: Verdict) -> None:
    answer(asking, ODD)
    deviation = TopicDeviation.ON_TOPIC if first.doubtful else TopicDeviation.OFF_TOPIC
    make_judged(fresh(asking), first, deviation)
    assert state(asking).record("ASK_001").attempts == 0
    answer(asking, RIGHT)
    told = [data for name, data in events(asking) if name == "evaluation.result"]
    assert [data["first"] for data in told] == [True, False]
    assert told[1]["attempts"] == 1


def test_a_blank_is_not_the_first_answer(asking: Session) -> None:
    for text in ("", RIGHT):
        answer(asking, text)
    told = [data["first"] for name, data in events(asking) if name == "evaluation.result"]
    assert told == [False, True]


def test_an_answer_of_today_tells_its_zone(asking: Session) -> None:
    answer(asking, RIGHT)
    told = dict(events(asking))["evaluation.result"]
    assert told["zone"] == "sure_right"


def test_the_same_click_again_does_nothing_and_another_word_with_its_key_is_refused(comparing: Session) -> None:
    seen = comparing.version
    for _ in range(2):
        turns.session_self_assess(session=fresh(comparing), version=seen, key="once", word="partly")
    assert Turn.objects.filter(kind=Turn.Kind.SELF).count() == 1
    with pytest.raises(KeyReused):
        turns.session_self_assess(session=fresh(comparing), version=seen, key="once", word="yes")
    with pytest.raises(StaleSession):
        turns.session_self_assess(session=fresh(comparing), version=seen, key="twice", word="yes")
    assert state(comparing).record("ASK_001").own_word == "partly"


def test_what_is_not_possible_is_refused_and_leaves_nothing(asking: Session) -> None:
    answer(asking, "?!")
    count = Turn.objects.count()
    with pytest.raises(ActionNotPossible):
        compare(asking)
    with pytest.raises(ActionNotPossible):
        say(asking, "yes")
    assert Turn.objects.count() == count


def test_an_own_word_without_its_answer_cannot_be_stored(comparing: Session) -> None:
    turn = Turn.objects.get(pk=last(comparing).pk)
    turn.pk, turn.version, turn.key, turn.kind = None, 1000, "forged", Turn.Kind.SELF
    with pytest.raises(IntegrityError), transaction.atomic():
        turn.save(force_insert=True)


def test_a_session_stays_at_the_comparison_whatever_comes(comparing: Session) -> None:
    """Coming back, another mode, and a worker that was killed: the state is in the database."""
    before = state(comparing)
    assert session_start(user=comparing.user, lesson=comparing.lesson).pk == comparing.pk
    turns.session_set_mode(session=fresh(comparing), mode=Mode.ADAPTIVE, key=key())
    assert state(comparing) == before
    assert fresh(comparing).status == Session.Status.ACTIVE
    say(comparing, "yes")
    go_on(comparing)
    assert state(comparing).phase == "asking"


def test_a_compared_question_is_reported_at_no_attempt_and_the_try_is_explained(comparing: Session) -> None:
    report(comparing)
    record = state(comparing).record("ASK_001")
    assert (record.outcome, record.attempts, record.own_word) == ("reported", 0, None)
    tried = earlier_try(fresh(comparing), state(comparing))
    assert tried is not None
    assert tried.verdict == unsure()


def test_a_compared_question_that_is_withdrawn_lets_its_learner_go_on(comparing: Session, staff: User) -> None:
    version = comparing.lesson_version
    for void in question_void(version=version, ask_code="ASK_001", by=staff, reason="It is wrong."):
        void_work(void=void)
    assert (state(comparing).phase, state(comparing).record("ASK_001").outcome) == ("closed", "voided")
    with pytest.raises(ActionNotPossible):
        say(comparing, "yes")
    go_on(comparing)
    assert state(comparing).phase == "asking"


def test_the_replay_ends_where_the_session_is(asking: Session) -> None:
    answer(asking, "A word about trains")
    make_judged(fresh(asking), verdict(provenance="rules"), TopicDeviation.OFF_TOPIC)
    unsure_answer(asking)
    now = fresh(asking)
    turns.session_hint(session=now, version=now.version, key=key())
    compare(asking)
    say(asking, "yes")
    go_on(asking)
    page = session_turns_page(fresh(asking), 1)
    played = list(replay(outline_of(asking.lesson_version_id), page.turns, page.voided, page.reviews))
    assert all(done.after is not None for done in played)
    assert played[-1].after == state(asking)
    assert state(asking).record("ASK_001").attempts == 1


CHANGES = (
    "result = 'REJECT'",
    """verdict = verdict || '{"rule": "self.no"}'""",
    """verdict = verdict || '{"provenance": "rules"}'""",
    """verdict = verdict || '{"grader": "andamio-3"}'""",
)


@pytest.mark.parametrize("change", CHANGES)
def test_an_own_word_that_was_changed_is_named_by_its_event(asking: Session, change: str) -> None:
    answer(asking, ODD)
    move_unsure(fresh(asking))
    compare(asking)
    say(asking, "yes")
    assert faults() == {}
    tamper(f"UPDATE lesson_engine_turn SET {change} WHERE id = %s", last(asking).pk)
    fault = faults()[str(asking.pk)]
    assert fault.detail == f"the verdict of turn {last(asking).version} is not the one that it tells of"


def test_erasing_the_words_leaves_the_own_word(comparing: Session) -> None:
    say(comparing, "yes")
    words_erase(user_id=comparing.user_id)
    assert Turn.objects.get(kind=Turn.Kind.SELF).result == "ACCEPT"
    assert state(comparing).record("ASK_001").by_own_word
