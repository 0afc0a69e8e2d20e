"""Who is not sure never says "wrong": asked again once, then compared, and the learner's own word closes."""

import pytest
from django.utils import translation

from evaluation.checking.check import criterion_check
from lesson_engine.adaptation import plan_adaptation
from lesson_engine.contracts import AdaptCommand, TopicDeviation
from lesson_engine.errors import ActionNotPossible
from lesson_engine.models import Mode
from lesson_engine.outcomes.goals import goals_reached, result_of
from lesson_engine.outcomes.results import dead_ends_of, outcomes_of, results_of
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import AskRecord, Outcome, OwnWord
from lesson_engine.player.zones import is_stray, own_verdict, zone_name
from lesson_engine.services.answering import verdict_count
from planning.contracts import SuccessCriterion
from tests.each import each
from tests.lesson_engine.lesson_file.build import ask, text_step
from tests.lesson_engine.player.walks import Move, Walker, outline, unsure, verdict

ON_TOPIC, OFF_TOPIC = TopicDeviation.ON_TOPIC, TopicDeviation.OFF_TOPIC
STRAY = Move("answer", deviation=OFF_TOPIC, kept=True)
UNSURE_STRAY = Move("answer", deviation=OFF_TOPIC, unsure=True, kept=True)
WITHOUT_REASK = {"operations": ["hint", "goto"]}


def two_asks(**changes: object) -> Outline:
    return outline([text_step(), ask("a", hints=["one", "two"]), ask("b")], **changes)


def walker(*kinds: str | Move, **changes: object) -> Walker:
    """Before the first question, and after these moves."""
    return Walker(two_asks(**changes)).play("continue", *kinds)


def test_not_sure_asks_again_once_and_counts_nothing() -> None:
    walk = walker("UNSURE")
    assert walk.state.phase == "asking"
    assert walk.state.record("a") == AskRecord(asked_again=True, doubted=True)
    assert walk.state.notice is not None
    assert walk.state.notice.verdict == unsure()


def test_not_sure_again_shows_the_answer_to_compare_and_counts_nothing() -> None:
    walk = walker("REJECT", "UNSURE", "UNSURE")
    assert walk.state.phase == "comparing"
    assert walk.state.record("a") == AskRecord(attempts=1, asked_again=True, doubted=True)
    for action in (machine.proceed, machine.show_hint, machine.skip, machine.compare):
        with pytest.raises(ActionNotPossible):
            action(walk.outline, walk.state)
    with pytest.raises(ActionNotPossible):
        machine.record_verdict(walk.outline, walk.state, verdict("ACCEPT"), ON_TOPIC)


def test_where_the_author_allows_no_asking_again_the_answer_is_compared_at_once() -> None:
    walk = walker("UNSURE", policy=WITHOUT_REASK)
    assert (walk.state.phase, walk.state.record("a")) == ("comparing", AskRecord(doubted=True))


@each(("word", "outcome"), [("yes", "mastered"), ("partly", "shown"), ("no", "shown")])
def test_the_own_word_closes_and_counts_one_attempt(word: OwnWord, outcome: Outcome) -> None:
    walk = walker("UNSURE", "UNSURE", word)
    assert walk.state.phase == "closed"
    assert walk.state.record("a") == AskRecord(
        attempts=1, outcome=outcome, asked_again=True, own_word=word, by_own_word=True
    )
    assert walk.state.notice is not None
    assert walk.state.notice.verdict == own_verdict(word)
    walk.finish(Move("answer", result="ACCEPT"))
    walk.check_end()


def test_the_own_word_is_a_verdict_of_the_learner() -> None:
    said = own_verdict("partly")
    assert (said.result, said.rule, said.provenance, zone_name(said)) == ("PARTIAL", "self.partly", "self", "self")
    assert (said.misconception, said.doubtful) == (None, False)
    assert zone_name(unsure()) == "not_sure"


def test_an_own_word_is_taken_only_while_something_is_compared() -> None:
    for walk in (walker(), walker("UNSURE"), walker("UNSURE", "compare", "yes")):
        with pytest.raises(ActionNotPossible):
            machine.self_assess(walk.outline, walk.state, "yes")


def test_whoever_cannot_say_it_better_compares_at_once_also_after_a_hint() -> None:
    walk = walker("UNSURE", "hint", "compare")
    assert walk.state.phase == "comparing"
    assert walk.state.record("a") == AskRecord(hints=1, asked_again=True, doubted=True)
    assert walk.state.notice is not None
    assert (walk.state.notice.command, walk.state.notice.hint_shown) == (None, False)


KNOWS_NOT = Move("answer", no_attempt=True, kept=True)


@each("reply", [KNOWS_NOT, Move("answer", result="NOT_GRADABLE", kept=True), STRAY])
def test_what_is_no_answer_leaves_the_doubt(reply: Move) -> None:
    walk = walker("UNSURE", reply)
    assert machine.can_compare(walk.outline, walk.state)
    walk.play("compare")
    assert walk.state.phase == "comparing"


def test_who_jumps_and_returns_may_still_compare() -> None:
    walk = walker("UNSURE", Move("command", operation="goto", target=1), Move("answer", result="ACCEPT"), "continue")
    assert walk.state.notice is None
    walk.play("compare", "yes")
    assert walk.state.record("a").outcome == "mastered"


@each(("word", "outcome"), [("yes", "mastered"), ("no", "shown")])
def test_where_attempts_run_out_over_a_doubt_it_is_compared(word: OwnWord, outcome: Outcome) -> None:
    walk = walker("UNSURE", KNOWS_NOT, KNOWS_NOT, KNOWS_NOT)
    assert (walk.state.phase, walk.state.record("a").attempts) == ("comparing", 3)
    walk.play(word)
    record = walk.state.record("a")
    assert (record.outcome, record.attempts, record.doubted) == (outcome, 3, False)


@each("result", ["REJECT", "PARTIAL"])
def test_a_verdict_that_is_sure_takes_its_place(result: str) -> None:
    walk = walker("UNSURE", Move("answer", result=result, kept=True))
    assert not machine.can_compare(walk.outline, walk.state)
    with pytest.raises(ActionNotPossible):
        machine.compare(walk.outline, walk.state)


def test_a_right_answer_after_all_closes_as_ever() -> None:
    walk = walker("UNSURE", Move("answer", result="ACCEPT", kept=True))
    assert walk.state.record("a") == AskRecord(attempts=1, outcome="mastered", asked_again=True)


@pytest.mark.parametrize("mode", list(Mode))
def test_the_command_is_the_same_in_both_modes(mode: Mode) -> None:
    lesson = two_asks()
    state = machine.proceed(lesson, machine.begin(lesson))
    command, state = verdict_count(lesson, state, mode, unsure(rule="open.thinker"), ON_TOPIC)
    assert command == AdaptCommand(op="reask", reason="SEM_LOW")
    assert state.notice is not None
    assert state.notice.command == command
    command, state = verdict_count(lesson, state, mode, unsure(), ON_TOPIC)
    assert (command, state.phase) == (None, "comparing")
    assert plan_adaptation(lesson, state, unsure(), ON_TOPIC) is None


def test_every_kind_of_question_is_asked_again() -> None:
    number = ask("n", answer={"kind": "numeric", "value": 6})
    walk = Walker(outline([number, ask("b")])).play("UNSURE", "UNSURE", "yes")
    assert walk.state.record("n").outcome == "mastered"


def test_verdicts_from_before_count_as_they_did() -> None:
    former = Move("answer", unsure=True)
    walk = walker(former, former, former)
    assert walk.state.record("a") == AskRecord(attempts=3, outcome="shown")
    strays = Move("answer", deviation=OFF_TOPIC)
    assert walker(strays).state.record("a") == AskRecord(attempts=1)


def test_the_first_stray_costs_nothing_and_the_next_ones_do() -> None:
    walk = walker(STRAY)
    assert walk.state.record("a") == AskRecord(strayed=True)
    assert walk.state.notice is not None
    assert walk.state.notice.spared
    walk.play(STRAY)
    assert (walk.state.record("a").attempts, walk.state.notice.spared) == (1, False)
    walk.play(STRAY, STRAY)
    assert walk.state.record("a").outcome == "shown"


def test_a_stray_costs_nothing_at_each_question_once_also_after_a_wrong_answer() -> None:
    walk = walker("REJECT", STRAY, Move("answer", result="ACCEPT", kept=True), "continue", STRAY)
    assert [walk.state.record(code).attempts for code in "ab"] == [2, 0]


def test_the_first_stray_in_doubt_costs_nothing_and_is_not_asked_again_as_unsure() -> None:
    walk = walker(UNSURE_STRAY)
    assert walk.state.record("a") == AskRecord(strayed=True)
    assert walk.state.notice is not None
    assert walk.state.notice.spared
    assert not machine.can_compare(walk.outline, walk.state)
    walk.play("hint")
    assert not machine.can_compare(walk.outline, walk.state)


def test_the_next_strays_in_doubt_are_asked_again_and_then_compared() -> None:
    walk = walker(UNSURE_STRAY, UNSURE_STRAY)
    assert walk.state.record("a") == AskRecord(strayed=True, asked_again=True, doubted=True)
    assert walk.state.notice is not None
    assert not walk.state.notice.spared
    assert machine.can_compare(walk.outline, walk.state)
    walk.play(UNSURE_STRAY)
    assert (walk.state.phase, walk.state.record("a").attempts) == ("comparing", 0)


def test_after_a_stray_in_doubt_one_that_is_sure_costs_an_attempt() -> None:
    assert walker(UNSURE_STRAY, STRAY).state.record("a") == AskRecord(attempts=1, strayed=True)
    assert walker(STRAY, UNSURE_STRAY).state.record("a") == AskRecord(strayed=True, asked_again=True, doubted=True)


@pytest.mark.parametrize("mode", list(Mode))
def test_a_stray_in_doubt_leads_where_any_stray_does(mode: Mode) -> None:
    lesson = two_asks()
    state = machine.proceed(lesson, machine.begin(lesson))
    command, after = verdict_count(lesson, state, mode, unsure(), OFF_TOPIC)
    if mode == Mode.ADAPTIVE:
        assert command == AdaptCommand(op="goto", target_ask_code="b", reason="OFF_TOPIC")
    else:
        assert (command, after.phase) == (None, "asking")
    assert (after.record("a").attempts, after.record("a").asked_again) == (0, False)


@pytest.mark.parametrize("mode", list(Mode))
def test_the_second_stray_in_doubt_is_asked_for_in_other_words(mode: Mode) -> None:
    walk = walker(UNSURE_STRAY)
    command, _ = verdict_count(walk.outline, walk.state, mode, unsure(), OFF_TOPIC)
    assert command == AdaptCommand(op="reask", reason="SEM_LOW")


@each(
    ("result", "changes", "strays"),
    [
        ("REJECT", {}, True),
        ("PARTIAL", {"doubtful": True}, True),
        ("REJECT", {"doubtful": True}, True),
        ("PARTIAL", {}, False),
        ("ACCEPT", {}, False),
        ("ACCEPT", {"doubtful": True}, False),
        ("NOT_GRADABLE", {}, False),
        ("REJECT", {"provenance": None}, False),
        ("PARTIAL", {"doubtful": True, "provenance": None}, False),
    ],
)
def test_what_strays(result: str, changes: dict[str, object], strays: bool) -> None:
    judged = verdict(result, **{"provenance": "rules", **changes})
    assert is_stray(judged, OFF_TOPIC) == strays
    assert not is_stray(judged, TopicDeviation.VAGUE)
    assert not is_stray(judged, None)


def test_not_knowing_always_costs_an_attempt() -> None:
    lesson = two_asks()
    state = machine.proceed(lesson, machine.begin(lesson))
    unknown = verdict(no_attempt=True, rule="attempt.dont_know", provenance="rules")
    state = machine.record_verdict(lesson, state, unknown, TopicDeviation.VAGUE)
    assert state.record("a") == AskRecord(attempts=1)


def test_who_strays_before_another_question_of_the_cycle_pays_nothing_for_the_first() -> None:
    lesson = two_asks()
    state = machine.proceed(lesson, machine.begin(lesson))
    strays = verdict(provenance="rules")
    command, after = verdict_count(lesson, state, Mode.ADAPTIVE, strays, OFF_TOPIC)
    assert command is not None
    assert (command.op, after.record("a").attempts) == ("goto", 0)


def test_a_question_that_is_compared_can_be_reported_and_withdrawn() -> None:
    reported = walker("UNSURE", "compare", "report")
    assert reported.state.record("a") == AskRecord(outcome="reported", asked_again=True)
    withdrawn = walker("UNSURE", "compare", Move("void", target=0))
    assert (withdrawn.state.phase, withdrawn.state.record("a").outcome) == ("closed", "voided")
    for walk in (reported, withdrawn):
        walk.finish(Move("answer", result="ACCEPT"))
        walk.check_end()


def test_an_author_may_jump_away_from_a_comparison() -> None:
    walk = walker("UNSURE", "compare")
    there = machine.arrive_at(walk.outline, walk.state, 1)
    assert (there.phase, there.record("a"), there.notice) == ("asking", AskRecord(), None)


def test_a_hint_leaves_what_was_said_of_the_answer() -> None:
    walk = walker("REJECT")
    told = walk.state.notice
    assert told is not None
    walk.play("hint", "hint")
    assert walk.state.notice == told.model_copy(update={"hint_shown": True})
    assert walker("hint").state.notice is not None


def test_a_hint_does_not_keep_what_is_about_the_question_that_was_left() -> None:
    lesson = outline([text_step(), ask("a"), ask("b", hints=["one"])])
    walk = Walker(lesson).play("continue", "REJECT", Move("command", operation="goto", target=1), "hint")
    assert walk.state.notice is not None
    assert (walk.state.notice.ask_code, walk.state.notice.verdict) == ("b", None)


def test_own_words_are_told_apart_in_every_result() -> None:
    walk = walker("UNSURE", "compare", "yes", "continue", "UNSURE", "compare", "partly", "continue")
    results = results_of(walk.outline, walk.state)
    assert (results.mastered, results.by_own_word, results.shown) == (1, 1, 1)
    assert (results.skills[0].mastered, results.skills[0].at_once, results.skills[0].by_own_word) == (1, 0, 1)
    assert outcomes_of(walk.outline, walk.state).as_data()["byOwnWord"] == 1
    assert [(review.ask.code, review.compared) for review in results.review] == [("b", True)]
    facts = result_of(walk.outline, walk.state)
    assert (facts["answered"], facts["accuracy"], facts["own_word"]) == (1, 0.5, 1)
    assert dead_ends_of(walk.outline, walk.state) == 0, "no attempts ran out"


@each(
    "language, told",
    [
        (
            "en",
            [
                "You answered 1 of 2, 1 of them by your own word: 50 %.",
                "You answered 1 of 2, 1 of them by your own word.",
            ],
        ),
        (
            "es",
            [
                "Respondiste 1 de 2, 1 de ellas por tu propia palabra: 50 %.",
                "Respondiste 1 de 2, 1 de ellas por tu propia palabra.",
            ],
        ),
    ],
)
def test_what_came_of_a_goal_tells_own_words_apart(language: str, told: list[str]) -> None:
    walk = walker("UNSURE", "compare", "yes", "continue", "UNSURE", "compare", "partly", "continue")
    facts = result_of(walk.outline, walk.state)
    criteria = [SuccessCriterion(text=text) for text in ("accuracy >= 0.5", "answered >= 1")]
    with translation.override(language):
        goals = goals_reached([criterion_check(criterion, facts) for criterion in criteria], facts)
        assert [goal.outcome for goal in goals] == told


@each("moves", [["UNSURE", "ACCEPT"], [STRAY, "ACCEPT"]])
def test_right_only_at_the_second_reply_is_not_at_once(moves: list[str | Move]) -> None:
    walk = walker(*moves)
    (skill,) = results_of(walk.outline, walk.state).skills
    assert (walk.state.record("a").attempts, skill.mastered, skill.at_once) == (1, 1, 0)


def test_attempts_that_ran_out_are_a_dead_end_as_ever() -> None:
    walk = walker("REJECT", "REJECT", "REJECT")
    assert dead_ends_of(walk.outline, walk.state) == 1
