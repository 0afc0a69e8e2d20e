"""What is said of a verdict, for each thing that a grader finds: of an open question, of a closed one, to staff."""

from collections.abc import Sequence
from typing import Any

import pytest

from lesson_engine.contracts import Ask, ItemStep, Step, TextStep, Verdict, VerdictResult
from lesson_engine.explanations import Judged, for_staff, once_closed, rule_in_words, while_open
from lesson_engine.grading.findings import as_written, explanation_details
from lesson_engine.grading.matching import matcher
from lesson_engine.grading.procedure import misplaced
from tests.each import each
from tests.lesson_engine.grading.asks import CHOICE, DEFINITION, LIST, MULTI, NUMERIC, OPEN, PROCEDURE, ask

ACCEPT, PARTIAL, REJECT, NOT_GRADABLE = VerdictResult
DOUBT = "I am not sure about this one; a teacher may look at it again."


def verdict(result: VerdictResult, rule: str, *, doubtful: bool = False, **details: Any) -> Verdict:
    return Verdict(result=result, rule=rule, score=0.5, grader="any", doubtful=doubtful, details=details)


def unsure(rule: str = "open.semantic", **details: Any) -> Verdict:
    return verdict(PARTIAL, rule, doubtful=True, **details).model_copy(update={"provenance": "rules"})


NOTHING: dict[str, Any] = {"reference": 0, "missing_ideas": [], "said": []}
"""What a grader finds in any answer that is judged by its words."""


def judged(
    asked: Ask, found: Verdict, said: str = "", *, readings: Sequence[Step] = (), hints: tuple[str, ...] = ()
) -> Judged:
    """The verdict with all details that its grader adds for explanations."""
    language, asked = "en" if asked is DEFINITION else "es", asked.model_copy(update={"hints": hints})
    worded = asked.answer.kind in ("open", "definition")
    details = {**(NOTHING if worded else {}), **found.details}
    details = explanation_details(asked, details, said, matcher(asked, language), readings)
    return Judged(asked, found.model_copy(update={"details": details}), language, len(hints))


def opened(asked: Ask, found: Verdict, said: str = "", **more: Any) -> list[str]:
    return [line.text for line in while_open(judged(asked, found, said, **more))]


def closed(asked: Ask, found: Verdict, said: str = "") -> list[str]:
    return [line.text for line in once_closed(judged(asked, found, said))]


def test_ideas_that_were_not_found_are_named_once_closed_and_not_even_counted_before() -> None:
    found = unsure(missing_ideas=["refleja"])
    assert opened(OPEN, found, "por el verde") == []
    assert closed(OPEN, found, "por el verde") == ["I could not find this idea in your words: “refleja”."]


def test_of_what_is_wrong_the_missing_ideas_are_told_once_closed() -> None:
    found = verdict(REJECT, "definition.semantic", missing_ideas=["make", "food", "light"])
    assert opened(DEFINITION, found) == []
    assert closed(DEFINITION, found) == ["These ideas belong in the answer: “make”, “food”, “light”."]
    assert closed(OPEN, verdict(REJECT, "open.semantic", missing_ideas=["refleja"])) == [
        "This idea belongs in the answer: “refleja”."
    ]


def test_without_any_of_the_ideas_there_is_nothing_to_count() -> None:
    assert opened(OPEN, unsure(missing_ideas=["refleja", "verde"])) == []


def test_a_missing_idea_is_named_as_the_answer_beside_it_says_it() -> None:
    asked = ask({"kind": "open", "accepted": ["Da Alimentos."], "keyword_groups": [["comida", "alimento"]]})
    found = verdict(REJECT, "open.semantic", reference=0, missing_ideas=["comida"])
    assert closed(asked, found) == ["This idea belongs in the answer: “Alimentos”."]


@each("rule", ["no_statement", "alternatives", "echo", "order", "about_answer", "too_long"])
def test_a_reply_that_does_something_else_than_answer_hears_only_that(rule: str) -> None:
    found = verdict(PARTIAL, f"open.{rule}", missing_ideas=["verde"])
    assert opened(OPEN, found, "refleja, absorbe") == [rule_in_words(found)]
    assert opened(OPEN, unsure(f"open.{rule}", missing_ideas=["verde"]), "refleja, absorbe") == []
    assert closed(OPEN, found)[0] == rule_in_words(found)


@each(
    "details",
    [
        {"opposite": ["absorben"], "denied": [], "against": ["refleja"], "covered_words": ["verde"]},
        {"opposite": "absorben"},
        {"opposite": None, "denied": None, "reference": None, "missing_ideas": None},
        {"reference": 7, "missing_ideas": ["of another version"]},
        {"reference": "0", "missing_ideas": [3], "likeness": "high", "missing": "1", "said": 5},
        {},
    ],
)
def test_verdicts_of_earlier_graders_are_explained_as_far_as_they_go(details: dict[str, Any]) -> None:
    found = verdict(REJECT, "open.semantic", **details)
    assert once_closed(Judged(OPEN, found, "es")) == ()
    for asked in (OPEN, LIST, PROCEDURE, NUMERIC, CHOICE, MULTI):
        while_open(Judged(asked, found, "es"))
        once_closed(Judged(asked, found, "es"))
        for_staff(Judged(asked, found, "es"))


def test_what_earlier_graders_found_is_told_without_matching() -> None:
    found = verdict(PARTIAL, "open.keywords", reference=1, missing_ideas=["refleja"])
    before = Judged(OPEN, found, "es")
    assert while_open(before) == ()
    assert next(line.text for line in once_closed(before)) == "This idea belongs in the answer: “refleja”."


def test_an_idea_that_an_earlier_grader_did_not_call_missing_is_not_called_so() -> None:
    found = verdict(REJECT, "open.semantic", missing_ideas=["refleja"], lacking=[])  # it was there, and denied
    assert once_closed(Judged(OPEN, found, "es")) == ()


def test_a_contradiction_is_told_by_its_rule_also_where_an_earlier_grader_named_the_words() -> None:
    found = verdict(REJECT, "open.contradiction", opposite=["absorben"], against=["refleja"])
    assert [line.text for line in while_open(Judged(OPEN, found, "es"))] == [rule_in_words(found)]


def test_a_contradiction_without_words_is_told_by_its_rule() -> None:
    found = verdict(PARTIAL, "open.contradiction", reference=1)
    line = "Your answer has the right words, but some of it says the opposite of the right answer."
    assert opened(OPEN, found) == [line]
    assert closed(OPEN, found)[0] == line


def test_the_accepted_answer_that_is_nearest_is_shown_where_another_is_shown_anyway() -> None:
    found = verdict(PARTIAL, "open.keywords", reference=1, missing_ideas=["verde"])
    assert closed(OPEN, found)[1:] == [
        "Of the author's answers this one is nearest to yours: “La luz verde no se absorbe, rebota en la hoja.”"
    ]


def test_a_right_answer_that_lacks_nothing_needs_no_words() -> None:
    for rule in ("open.exact", "open.semantic", "open.keywords", "open.contains"):
        assert closed(OPEN, verdict(ACCEPT, rule, reference=1)) == []


def test_a_right_answer_hears_how_the_author_says_it() -> None:
    found = verdict(ACCEPT, "open.semantic", reference=1, missing_ideas=["refleja"])
    assert closed(OPEN, found) == [
        "The author puts it like this: “La luz verde no se absorbe, rebota en la hoja.”",
    ]


@pytest.mark.parametrize("result", [ACCEPT, PARTIAL, REJECT])
def test_doubts_of_earlier_graders_are_said_once_closed(result: VerdictResult) -> None:
    found = verdict(result, "open.semantic", doubtful=True)
    assert closed(OPEN, found)[-1] == DOUBT
    assert DOUBT not in opened(OPEN, found)
    assert DOUBT not in closed(OPEN, verdict(result, "open.semantic"))
    assert DOUBT not in closed(OPEN, unsure())  # the notice says so


def test_a_misunderstanding_that_its_author_wrote_about_is_left_to_them_while_open() -> None:
    found = verdict(REJECT, "misconception.semantic", missing_ideas=["refleja"])
    found = found.model_copy(update={"misconception": "absorbe_verde"})
    assert opened(OPEN, found) == []
    assert closed(OPEN, found) == ["This idea belongs in the answer: “refleja”."]


def test_of_several_parts_the_one_that_says_the_misunderstanding_is_quoted_as_it_was_written() -> None:
    found = verdict(REJECT, "misconception.semantic", said=["absorben lo verde"])
    found = found.model_copy(update={"misconception": "absorbe_verde"})
    said = "Hay luz. Ellas Absorben LO verde"
    assert opened(OPEN, found, said) == ["That is about this part of your answer: “Absorben LO verde”."]


@pytest.mark.parametrize("asked", [OPEN, LIST, NUMERIC])
def test_what_was_no_try_is_not_explained(asked: Ask) -> None:
    none = verdict(REJECT, "attempt.dont_know").model_copy(update={"no_attempt": True})
    for found in (none, verdict(NOT_GRADABLE, "wrong_form", problem="no_number")):
        assert opened(asked, found) == closed(asked, found) == []


def test_a_list() -> None:
    found = verdict(PARTIAL, "list.extra", found=["agua"], missing=2, extra=["tierra"])
    assert opened(LIST, found, "agua y Tierra") == ["2 items are missing.", "This is not on my list: “Tierra”."]
    assert closed(LIST, found) == [
        "2 were missing: “dióxido de carbono”, “luz”.",
        "This is not on the list: “tierra”.",
    ]
    assert closed(LIST, verdict(PARTIAL, "list.some", found=["agua", "luz"], missing=1)) == [
        "Missing: “dióxido de carbono”."
    ]


def test_a_pile_of_guesses_in_a_list_is_not_sorted() -> None:
    found = verdict(REJECT, "list.items", found=["agua"], missing=2, extra=["tierra", "abono", "piedras"])
    assert opened(LIST, found) == [
        "2 items are missing.",
        "Most of what you named is not on my list: name only what you are sure of.",
    ]
    assert "tierra" in closed(LIST, found)[1]


def test_a_list_of_which_some_suffice() -> None:
    answer = {"kind": "list", "items": [["agua"], ["luz"], ["aire"]], "required": 2}
    found = verdict(PARTIAL, "list.some", found=["agua"], missing=1, extra=[])
    assert closed(ask(answer), found) == ["One more of these was needed: “luz”, “aire”."]


def test_a_procedure() -> None:
    found = verdict(PARTIAL, "procedure.steps", order=[1, 0, 3], misplaced=[1], missing=1, out_of_place=1)
    assert opened(PROCEDURE, found) == ["1 step is missing.", "1 step is not in its place."]
    assert closed(PROCEDURE, found) == [
        "A step was missing: “cargar las baterías”.",
        "This step was not in its place: “romper el agua”.",
    ]


@each(("order", "moved"), [([0, 1, 2], 0), ([3, 0, 1, 2], 1), ([3, 2, 1, 0], 3), ([1, 0, 3, 2], 2), ([], 0), ([2], 0)])
def test_as_few_steps_as_can_be_are_called_misplaced(order: list[int], moved: int) -> None:
    found = misplaced(order)
    assert len(found) == moved
    left = [step for step in order if step not in found]
    assert left == sorted(left)


def test_several_choices() -> None:
    found = verdict(PARTIAL, "multi_choice.some", found=["musgo", "alga"], missing=1, extra=1)
    assert opened(MULTI, found) == ["1 of your choices does not belong."]
    assert closed(MULTI, found) == ["This one belongs too: “Un cactus”.", "1 of your choices did not belong."]


@pytest.mark.parametrize(
    ("found", "while_it_is_open", "once_it_is_closed"),
    [
        (
            verdict(PARTIAL, "numeric.unit_missing", unit_problem="missing"),
            "Your number is right: now add its unit.",
            "The number was right, but its unit was missing.",
        ),
        (
            verdict(PARTIAL, "numeric.unit_missing", unit_problem="unknown"),
            "Your number is right, but I could not read its unit: write it another way.",
            "The number was right, but its unit could not be read.",
        ),
        (
            verdict(PARTIAL, "numeric.unit_wrong", unit_problem="other"),
            "The number fits, but its unit does not: check the unit.",
            "The number fits, but its unit does not.",
        ),
        (
            verdict(REJECT, "numeric.several"),
            "Your answer has several numbers: write only the one that you mean.",
            "Your answer has several numbers: write only the one that you mean.",
        ),
    ],
)
def test_a_number(found: Verdict, while_it_is_open: str, once_it_is_closed: str) -> None:
    assert opened(NUMERIC, found) == [while_it_is_open]
    assert closed(NUMERIC, found) == [once_it_is_closed]


def test_of_a_number_that_is_only_a_limit_no_unit_is_spoken_of() -> None:
    found = verdict(PARTIAL, "numeric.bound", unit_problem="unknown")
    line = "Your answer gives a limit, as in “more than”: write the number itself."
    assert opened(NUMERIC, found) == closed(NUMERIC, found) == [line]


def test_several_things_that_are_not_listed_are_named_together() -> None:
    found = verdict(PARTIAL, "list.extra", found=["agua"], missing=1, extra=["tierra", "abono"])
    assert opened(LIST, found)[1] == "These are not on my list: “tierra”, “abono”."
    assert closed(LIST, found)[1] == "These are not on the list: “tierra”, “abono”."


def test_one_choice_needs_no_more_than_its_author_says() -> None:
    found = verdict(REJECT, "choice.exact", choice="suelo")
    assert opened(CHOICE, found) == closed(CHOICE, found) == []


STRESSED = ask(
    {"kind": "open", "accepted": ["Sube, porque se calienta."], "keyword_groups": [["sube"], ["calienta", "calor"]]},
    "¿Qué le pasa al **aire** y **por qué**?",
)


def test_who_has_part_of_it_is_led_back_to_what_the_question_stresses() -> None:
    found = unsure(missing_ideas=["calienta"])
    line = "Read the question once more: it also asks about “por qué”."
    assert opened(STRESSED, found, "El aire sube") == [line]
    assert opened(STRESSED, verdict(PARTIAL, "open.semantic", missing_ideas=["calienta"]), "El aire sube") == [line]
    nothing = verdict(REJECT, "open.semantic", missing_ideas=["sube", "calienta"])
    assert opened(STRESSED, nothing, "El aire sopla") == []


@pytest.mark.parametrize(
    ("title", "body", "named"),
    [
        ("El globo de papel", "Al calentarse, el aire se hace ligero y **sube**.", True),
        ("El globo de papel", "El aire sube.", False),  # not all of it
        ("El calor y el globo", "Al calentarse, el aire sube.", False),  # its title would tell
        (None, "Al calentarse, el aire sube.", False),
    ],
)
def test_who_has_nothing_is_led_to_the_reading_that_tells_it(title: str | None, body: str, named: bool) -> None:
    found = verdict(REJECT, "open.semantic", missing_ideas=["sube", "calienta"])
    reading = TextStep(type="CONTENT", title=title, body=body)
    told = opened(STRESSED, found, "El aire sopla", readings=(reading,))
    assert told == (["Read “El globo de papel” again: it will help you here."] if named else [])


def test_what_only_announces_the_lesson_is_no_reading_to_be_led_to() -> None:
    found = verdict(REJECT, "open.semantic", missing_ideas=["sube", "calienta"])
    item = {"body": "Por qué sube el aire que se calienta"}
    reading = ItemStep.model_validate({"type": "EXPECTED_LEARNING", "title": "Al terminar podrás", "items": [item]})
    assert opened(STRESSED, found, "El aire sopla", readings=(reading,)) == []


def test_a_hint_that_was_shown_makes_its_words_no_secret() -> None:
    found = verdict(REJECT, "open.semantic", missing_ideas=["sube", "calienta"])
    reading = TextStep(type="CONTENT", title="El calor", body="Al calentarse, el aire sube.")
    assert opened(STRESSED, found, readings=(reading,), hints=("Piensa en el calor.",)) == [
        "Read “El calor” again: it will help you here."
    ]


def test_staff_see_everything() -> None:
    found = unsure(reference=1, missing_ideas=["refleja"], right=0.4, partly=0.35, wrong=0.25)
    assert [line.text for line in for_staff(judged(OPEN, found, "Absorben el verde"))] == [
        "No word was found for this idea: “refleja”.",
        "Compared with accepted answer 2: “La luz verde no se absorbe, rebota en la hoja.”",
        "Probabilities: right 0.40, partly right 0.35, wrong 0.25.",
    ]
    both = judged(OPEN, verdict(REJECT, "open.semantic", reference=0, missing_ideas=["refleja", "verde"]))
    assert for_staff(both)[0].text == "No word was found for these ideas: “refleja”, “verde”."
    before = Judged(OPEN, verdict(PARTIAL, "open.keywords", doubtful=True, probability=0.4), "es")
    assert [line.text for line in for_staff(before)] == ["Probability of being right 0.40."]


@each(
    ("words", "said", "written"),
    [
        ("anos", "hace muchos años", "años"),
        ("fotosintesis", "La FOTOSÍNTESIS", "FOTOSÍNTESIS"),
        ("dioxido de carbono", "el dióxido  de carbono", "dióxido  de carbono"),
        ("agua", "aguacate", "agua"),
        ("agua", "", "agua"),
        ("", "agua", ""),
    ],
)
def test_folded_words_are_quoted_as_they_were_written(words: str, said: str, written: str) -> None:
    assert as_written(words, said) == written


HOSTILE = "<script>alert(1)</script> {own} %(own)s \u202egar \x00 " + "a" * 300


def test_quotes_of_the_learner_act_nowhere_and_are_cut() -> None:
    found = verdict(PARTIAL, "list.extra", found=[], missing=1, extra=[HOSTILE] * 40)
    (_, line) = while_open(judged(LIST, found, HOSTILE))
    assert line.own
    assert "<script" not in line.html
    assert "&lt;script&gt;" in line.html
    assert "\u202e" not in line.text
    assert len(line.text) < 1000
    assert '<bdi class="quote" lang="es">' in line.html


def test_quotes_of_the_author_are_markdown_that_was_cleaned() -> None:
    choices = [
        {"code": "a", "text": r"$\frac{1}{2}$ <img src=x>", "correct": True},
        {"code": "b", "text": "B", "correct": True},
        {"code": "c", "text": "C"},
    ]
    found = verdict(PARTIAL, "multi_choice.some", found=["b"], missing=1, extra=0)
    (line,) = once_closed(judged(ask({"kind": "multi_choice", "choices": choices}), found))
    assert "<math" in line.html
    assert "<img" not in line.html
    assert not line.own
