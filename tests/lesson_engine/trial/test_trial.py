"""What a trial finds. Texts that are equal word for word stand in for likely ones: no verdict here is a near thing."""

from typing import Any

import pytest
from django.utils import translation

from gateway.services import texts_embed_locally
from lesson_engine.contracts import Ask
from lesson_engine.trial import (
    QuestionTrial,
    TrialWarning,
    WarningKind,
    is_tried,
    question_trial,
    suggestion_text,
    warning_text,
)
from lesson_engine.trial.tries import MOST_LEFT_OUT
from tests.lesson_engine.lesson_file.build import ask

SUGAR = "Plants use light to make sugar."
EAT_LIGHT = "They eat the light for breakfast."


def make_ask(accepted: list[str], *groups: list[str], kind: str = "open", **wrong: list[str]) -> Ask:
    """A question about plants; `wrong` are examples by the code of their misconception."""
    term = {"term": "light"} if kind == "definition" else {}
    misconceptions = [{"code": code, "examples": texts, "feedback": "No."} for code, texts in wrong.items()]
    return Ask.model_validate(
        ask(
            question="What do plants need light for?",
            answer={"kind": kind, "accepted": accepted, "keyword_groups": groups, **term},
            misconceptions=misconceptions,
        )
    )


def trial_of(*texts: Any, language: str = "en", **wrong: Any) -> QuestionTrial:
    return question_trial(make_ask(*texts, **wrong), language=language, embed=texts_embed_locally)


def warned(trial: QuestionTrial, kind: WarningKind) -> list[TrialWarning]:
    return [warning for warning in trial.warnings if warning.kind is kind]


def kinds(trial: QuestionTrial) -> list[WarningKind]:
    return [warning.kind for warning in trial.warnings]


def test_each_accepted_answer_is_left_out_of_the_question_that_judges_it() -> None:
    trial = trial_of([SUGAR, "plants use light to make sugar", EAT_LIGHT], eats=["they eat the light for breakfast"])
    first, second, third = [tried for tried in trial.tries if tried.made_of == "accepted"]
    assert [first.zone, second.zone] == ["sure_right", "sure_right"]
    assert (third.zone, third.misconception, third.outcome) == ("sure_wrong", "eats", "opposite")
    (warning,) = warned(trial, WarningKind.ACCEPTED_WRONG)
    assert (warning.quote, warning.code, warning.count, warning.total) == (EAT_LIGHT, "eats", 1, 3)
    assert (
        suggestion_text(warning)
        == "Add an accepted answer that says “They eat the light for breakfast” in other words."
    )


def test_each_example_is_left_out_and_found_by_the_others() -> None:
    trial = trial_of([SUGAR, EAT_LIGHT, "To grow."], eats=["They eat it all", "they eat it all", EAT_LIGHT])
    tried = {tried.text: tried for tried in trial.tries if tried.made_of == "example"}
    assert tried["They eat it all"].misconception == tried["They eat it all"].example_of == "eats"
    assert tried["They eat it all"].outcome == "as_expected"
    assert (tried[EAT_LIGHT].zone, tried[EAT_LIGHT].outcome) == ("sure_right", "opposite")
    assert kinds(trial)[0] is WarningKind.EXAMPLE_ACCEPTED  # the strongest
    (warning,) = warned(trial, WarningKind.EXAMPLE_ACCEPTED)
    assert "“eats”" in warning_text(warning)
    assert EAT_LIGHT.rstrip(".") in warning_text(warning)


def test_an_example_that_its_misconception_does_not_find_is_told() -> None:
    others = ["They eat it all", "they eat it all"]
    trial = trial_of([SUGAR, "To grow.", "To live."], eats=[*others, "A wholly other matter"], sleeps=["They sleep"])
    (warning,) = warned(trial, WarningKind.EXAMPLE_NOT_RECOGNISED)
    assert (warning.code, warning.quote, warning.count, warning.total) == ("eats", "A wholly other matter", 1, 3)
    (alone,) = warned(trial, WarningKind.FEW_EXAMPLES)
    assert (alone.code, alone.quote) == ("sleeps", "They sleep")


def test_accepted_answers_as_people_type_them_are_right() -> None:
    trial = trial_of(["Para fabricar azúcar.", "Para crecer más"], language="es")
    made = {tried.made_of: tried for tried in trial.tries if tried.made_of != "accepted"}
    assert made["capitals"].text == "PARA FABRICAR AZÚCAR."
    assert made["no_accents"].text == "Para fabricar azucar."
    assert made["no_stop"].text == "Para fabricar azúcar"
    assert made["slip"].text not in ("Para fabricar azúcar.", "Para crecer más")
    for kind in ("capitals", "no_accents", "no_stop", "slip"):
        assert made[kind].zone == "sure_right"


def test_an_accepted_answer_that_is_denied_should_be_wrong() -> None:
    trial = trial_of(["They make sugar.", "It is not true that they make sugar.", "To grow."])
    denied = [tried for tried in trial.tries if tried.made_of == "denied"]
    assert denied[0].text == "It is not true that they make sugar."
    (warning,) = warned(trial, WarningKind.DENIAL_ACCEPTED)
    assert warning.quote == denied[0].text


def test_a_group_that_an_accepted_answer_fails_is_named_with_the_word_it_has_instead() -> None:
    accepted = ["They make sugar.", "They make glucose.", "They make many sugars."]
    (warning,) = warned(trial_of(accepted, ["sugar"]), WarningKind.GROUP_NOT_MET)
    assert (warning.group, warning.quote, warning.count, warning.total) == (("sugar",), "They make glucose.", 1, 3)
    assert warning.words == ("glucose",)
    assert "Instead it has “glucose”." in warning_text(warning)
    assert suggestion_text(warning).startswith("Add “glucose” to the group “sugar”")


def test_a_word_that_means_something_else_is_not_proposed() -> None:
    (warning,) = warned(trial_of(["They make sugar.", "So that Tuesday comes."], ["sugar"]), WarningKind.GROUP_NOT_MET)
    assert warning.words == ()
    assert suggestion_text(warning).startswith("Add the answer's own words for that idea to the group “sugar”")


def test_groups_that_any_answer_meets_are_named() -> None:
    accepted = ["Light makes sugar in plants."]
    trial = trial_of(accepted, ["plant", "leaf"], ["sugar"], ["make"], eats=["They make it warm", "To make food of it"])
    (asked,) = warned(trial, WarningKind.GROUP_IN_QUESTION)
    assert (asked.group, asked.words) == (("plant", "leaf"), ("plant",))
    (in_all,) = warned(trial, WarningKind.GROUP_IN_EXAMPLES)
    assert (in_all.group, in_all.count) == (("make",), 2)
    assert not warned(trial, WarningKind.GROUP_NOT_MET)


@pytest.mark.parametrize(
    ("accepted", "groups", "is_few"),
    [
        (1, [["sugar"]], True),
        (2, [["sugar"]], False),
        (2, [], True),
        (2, [["sugar"], ["make"]], True),
        (3, [["sugar"], ["make"]], False),
    ],
)
def test_too_few_accepted_answers(accepted: int, groups: list[list[str]], is_few: bool) -> None:
    trial = trial_of([f"They make sugar {number} times." for number in range(accepted)], *groups)
    assert bool(warned(trial, WarningKind.FEW_ACCEPTED)) is is_few
    assert kinds(trial)[-1] is WarningKind.NO_MISCONCEPTION


def test_a_single_accepted_answer_is_not_left_out() -> None:
    trial = trial_of([SUGAR], eats=["They eat light", "They feed on light"])
    assert "accepted" not in [tried.made_of for tried in trial.tries]
    assert not warned(trial, WarningKind.NO_MISCONCEPTION)


def test_a_question_of_many_texts_is_tried_forty_times_at_most() -> None:
    wrong: dict[str, Any] = {
        code: [f"It is {code} {number}" for number in range(20)] for code in ("red", "green", "blue")
    }
    many = make_ask([f"They make sugar number {number}." for number in range(100)], **wrong)
    trial = question_trial(many, language="en", embed=texts_embed_locally)
    made_of = [tried.made_of for tried in trial.tries]
    left_out = made_of.count("accepted") + made_of.count("example")
    assert (left_out, trial.untried) == (MOST_LEFT_OUT, 160 - MOST_LEFT_OUT)
    assert len(trial.tries) <= 40
    assert {tried.example_of for tried in trial.tries} == {None, "red", "green", "blue"}


def test_only_words_of_ones_own_are_tried() -> None:
    asked = Ask.model_validate(ask(answer={"kind": "numeric", "value": 3}))
    assert not is_tried(asked)
    assert is_tried(make_ask([SUGAR], kind="definition"))
    with pytest.raises(ValueError, match="a1 is not answered in words"):
        question_trial(asked, language="en", embed=texts_embed_locally)


def test_the_same_question_gives_the_same_trial() -> None:
    assert trial_of([SUGAR, "To grow."], ["sugar"]) == trial_of([SUGAR, "To grow."], ["sugar"])


@pytest.mark.parametrize("kind", WarningKind)
@pytest.mark.parametrize("language", ["en", "es"])
def test_every_warning_is_told_with_what_to_do(kind: WarningKind, language: str) -> None:
    warning = TrialWarning(kind, quote="x" * 500, code="eats", group=("sugar", "glucose"), words=("sweet",))
    with translation.override(language):
        texts = warning_text(warning), suggestion_text(warning)
    assert all("%" not in text and 20 < len(text) < 500 for text in texts)
    with translation.override(None):
        assert (language == "en") == (texts == (warning_text(warning), suggestion_text(warning)))
