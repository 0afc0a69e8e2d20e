"""How an opinion and the rules' verdict become one: one step at most, never past a contradiction, always on record."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lesson_engine.contracts import Ask, Verdict, VerdictResult
from lesson_engine.escalation.crosscheck import Crosschecked, contradicts, crosscheck
from lesson_engine.escalation.prompts import Opinion
from lesson_engine.explanations import rule_in_words
from tests.each import each
from tests.lesson_engine.grading.asks import DEFINITION, OPEN

STEPS = ("REJECT", "PARTIAL", "ACCEPT")
SCORES = {"REJECT": 0.1, "PARTIAL": 0.5, "ACCEPT": 0.8}


def verdict(result: str, **changes: Any) -> Verdict:
    feedback = {"ACCEPT": "¡Eso es!", "PARTIAL": "Casi.", "REJECT": "Piensa en lo que rebota."}[result]
    fields = {"result": result, "rule": "open.semantic", "score": SCORES[result], "grader": "andamio-4"}
    return Verdict.model_validate({**fields, "doubtful": True, "provenance": "rules", "feedback": feedback, **changes})


def opinion(said: str, confidence: str = "high", *, tricks: bool = False) -> Opinion:
    return Opinion.model_validate({"verdict": said, "confidence": confidence, "tricks": tricks})


def checked(before: Verdict, said: Opinion, ask: Ask = OPEN) -> Crosschecked:
    return crosscheck(ask, before, said, model="o3-mini")


verdicts = st.builds(
    lambda result, details, rule, wrong: verdict(result, details=details, rule=rule, misconception=wrong),
    st.sampled_from(STEPS),
    st.sampled_from([{}, {"denied": ["no"]}, {"opposite": ["absorbe"]}, {"reference": 1}]),
    st.sampled_from(["open.semantic", "open.keywords", "open.contradiction"]),
    st.sampled_from([None, "absorbe_verde"]),
)
opinions = st.builds(Opinion, verdict=st.sampled_from(STEPS), confidence=st.sampled_from(["low", "medium", "high"]))
opinions |= opinions.map(lambda said: said.model_copy(update={"tricks": True}))


@each(
    ("before", "said", "after"),
    [
        ("REJECT", "PARTIAL", "PARTIAL"),
        ("REJECT", "ACCEPT", "PARTIAL"),
        ("PARTIAL", "ACCEPT", "ACCEPT"),
        ("PARTIAL", "REJECT", "REJECT"),
        ("ACCEPT", "PARTIAL", "PARTIAL"),
        ("ACCEPT", "REJECT", "PARTIAL"),
    ],
)
@each("confidence", ["medium", "high"])
def test_an_opinion_moves_the_verdict_by_one_step(before: str, said: str, after: str, confidence: str) -> None:
    found, agreement = checked(verdict(before), opinion(said, confidence))
    assert (found.result.value, agreement) == (after, "moved")
    assert (found.rule, found.grader, found.provenance) == ("open.thinker", "andamio-4", "model")
    assert found.doubtful == (confidence == "medium" or after == "PARTIAL")
    assert found.details["thinker"] == {
        "model": "o3-mini",
        "said": said,
        "confidence": confidence,
        "deterministic": {"result": before, "rule": "open.semantic", "score": SCORES[before]},
    }


@given(verdicts, opinions)
def test_no_opinion_moves_a_verdict_further_or_accepts_what_contradicts(before: Verdict, said: Opinion) -> None:
    found, agreement = checked(before, said)
    ends = STEPS.index(found.result.value)
    assert abs(ends - STEPS.index(before.result.value)) <= 1
    assert (found.result != before.result) == (agreement == "moved")
    if contradicts(before) and before.result is not VerdictResult.ACCEPT:
        assert found.result is not VerdictResult.ACCEPT
    if said.tricks or said.confidence == "low":
        assert agreement != "moved"
    if agreement != "moved":
        same = found.model_copy(update={"doubtful": True, "details": before.details, "provenance": "rules"})
        assert same == before
    assert (found.provenance == "model") == (agreement != "kept")
    assert found.doubtful or said.confidence == "high"
    low, high = {"REJECT": (0.0, 0.23), "PARTIAL": (0.25, 0.73), "ACCEPT": (0.75, 1.0)}[found.result.value]
    assert low <= found.score <= high


def test_an_unsure_opinion_moves_nothing_and_leaves_the_doubt() -> None:
    found, agreement = checked(verdict("PARTIAL"), opinion("ACCEPT", "low"))
    assert (found.result.value, found.rule, found.doubtful, agreement) == ("PARTIAL", "open.semantic", True, "kept")
    assert found.provenance == "rules"


@each(("confidence", "doubtful"), [("low", True), ("medium", True), ("high", False)])
def test_of_opinions_that_say_the_same_only_a_sure_one_takes_the_doubt_away(confidence: str, doubtful: bool) -> None:
    found, agreement = checked(verdict("PARTIAL"), opinion("PARTIAL", confidence))
    assert (found.doubtful, found.rule, agreement) == (doubtful, "open.semantic", "agreed")
    assert found.provenance == "model"


@each(("said", "zone"), [("ACCEPT", "sure_right"), ("REJECT", "sure_wrong")])
def test_what_a_sure_opinion_moves_to_right_or_wrong_is_not_asked_again(said: str, zone: str) -> None:
    assert checked(verdict("PARTIAL"), opinion(said)).verdict.zone == zone
    assert checked(verdict("PARTIAL"), opinion(said, "medium")).verdict.zone == "not_sure"


def test_the_doubt_about_an_accepted_answer_that_contradicts_stays() -> None:
    found, _ = checked(verdict("ACCEPT", details={"opposite": ["absorbe"]}), opinion("ACCEPT"))
    assert (found.result.value, found.doubtful) == ("ACCEPT", True)


def test_where_the_opinion_speaks_of_tricks_the_rules_are_kept() -> None:
    for said in STEPS:
        found, agreement = checked(verdict("PARTIAL"), opinion(said, tricks=True))
        assert (found.result.value, found.doubtful, agreement) == ("PARTIAL", True, "kept")


@pytest.mark.parametrize(
    "changes",
    [
        {"rule": "open.contradiction"},
        {"details": {"denied": ["no"]}},
        {"details": {"opposite": ["absorbe"]}},
        {"misconception": "absorbe_verde"},
    ],
)
def test_what_contradicts_is_never_accepted_but_may_be_refused(changes: dict[str, Any]) -> None:
    before = verdict("PARTIAL", **changes)
    assert checked(before, opinion("ACCEPT")).agreement == "kept"
    assert checked(before, opinion("REJECT")).verdict.result is VerdictResult.REJECT


def test_the_feedback_is_what_the_author_says_of_the_final_result() -> None:
    assert checked(verdict("PARTIAL"), opinion("ACCEPT")).verdict.feedback == "¡Eso es!"
    assert checked(verdict("ACCEPT"), opinion("REJECT")).verdict.feedback == "Casi."
    assert checked(verdict("PARTIAL"), opinion("REJECT")).verdict.feedback == "Piensa en lo que rebota."
    assert checked(verdict("PARTIAL"), opinion("REJECT"), DEFINITION).verdict.feedback is None
    known = verdict("PARTIAL", misconception="absorbe_verde", feedback="Lo que se absorbe **no** llega al ojo.")
    found = checked(known, opinion("REJECT")).verdict
    assert (found.misconception, found.feedback) == ("absorbe_verde", "Lo que se absorbe **no** llega al ojo.")


def test_the_rule_keeps_its_kind_and_has_words() -> None:
    found = checked(verdict("PARTIAL", rule="definition.keywords"), opinion("ACCEPT"), DEFINITION).verdict
    assert found.rule == "definition.thinker"
    assert "second opinion" in rule_in_words(found)
