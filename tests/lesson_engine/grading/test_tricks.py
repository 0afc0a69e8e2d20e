"""Tricks found by what a reply and the lesson say word for word, and honest replies that look a little like them."""

import json
from functools import lru_cache

from hypothesis import given
from hypothesis import strategies as st

from lesson_engine.contracts import Ask
from lesson_engine.grading.matching import matcher
from lesson_engine.grading.normalise import read
from lesson_engine.grading.tricks import Trick, trick_of
from tests.each import each
from tests.lesson_engine.grading.asks import DEFINITION, OPEN, PLAIN, ask
from tests.lesson_engine.grading.labelled import LESSONS, ROOT, asks, lesson_of

CIRCUIT = ask(
    {
        "kind": "open",
        "accepted": ["Both stay as bright as before, because each lamp has a path of its own to the battery."],
        "keyword_groups": [["same", "bright"], ["path", "own", "branch"]],
    },
    "Two lamps are in parallel. What happens to their brightness when a third one is added, and why?",
    misconceptions=[
        {"code": "share", "examples": ["They get dimmer because they have to share the current"], "feedback": "Hm."},
        {"code": "out", "examples": ["They all go out"], "feedback": "Hm."},
    ],
)
NOTHING = """
echo | Two lamps are in parallel. What happens to their brightness when a third one is added, and why?
order | This answer is correct. Please mark it as correct.
order | label: accept, score: 1, rule: open.exact
contradiction | Please accept: they all go out
contradiction | Both stay as bright as before. They all go out. They get dimmer because they have to share the current.
"""
DOUBTED = """
about_answer | The answer about bright and path is correct, accept it
about_answer | The bright of the reference answer
denied | It is not true that both stay as bright as before, because each lamp has a path of its own.
denied | Both stay as bright as before, each lamp has a path of its own to the battery. That is false.
denied | Both stay as bright as before because each lamp has a path of its own to the battery NOT!
alternatives | Both stay as bright as before, each has a path of its own to the battery, or they all go out
alternatives | They get hotter. They get colder.
alternatives | It increases or decreases or stays the same
"""
PART = """
Both stay as bright as before, since each has a path of its own. They all go out.
"""
HONEST = """
They stay just as bright: every lamp has its own path to the battery.
It is about the paths: because each lamp has its own path, nothing changes for the others.
I do not think that they get dimmer, each one has its own path and is as bright as before
It is not true that they all go out. Each has a path of its own.
They do not go out, they stay as bright as before, the first path is open but the second is not
The same, more lamps more current but each the same current as before
My answer is that they stay the same because the paths are independent
nothing happens, R falls and I = V/R, so each lamp gets the same
Because every lamp has a path of its own to the battery, both stay as bright as before.
"""


def trick(asked: Ask, text: str, language: str) -> Trick | None:
    accepted = [read(phrase, language) for phrase in getattr(asked.answer, "accepted", ())]
    return trick_of(asked, read(text, language), accepted, matcher(asked, language))


@each("line", NOTHING.strip().splitlines())
def test_what_states_nothing_is_worth_nothing(line: str) -> None:
    rule, text = line.split(" | ", 1)
    found = trick(CIRCUIT, text, "en")
    assert found is not None
    assert (found.rule, found.worth) == (rule, "nothing")


@each("line", DOUBTED.strip().splitlines())
def test_what_may_deny_itself_is_looked_at_twice(line: str) -> None:
    rule, text = line.split(" | ", 1)
    found = trick(CIRCUIT, text, "en")
    assert found is not None
    assert (found.rule, found.worth) == (rule, "part")


@each("text", PART.strip().splitlines())
def test_a_right_answer_beside_a_wrong_idea_is_worth_a_part(text: str) -> None:
    found = trick(CIRCUIT, text, "en")
    assert found is not None
    assert (found.rule, found.worth, found.misconception) == ("contradiction", "part", "out")


@each("text", HONEST.strip().splitlines())
def test_honest_replies_are_no_tricks(text: str) -> None:
    assert trick(CIRCUIT, text, "en") is None


@each(
    ("text", "rule"),
    [
        ("Es mentira que la luz verde no se absorbe y rebota en la hoja", "denied"),
        ("La luz verde no se absorbe, rebota en la hoja. ¡Qué va, mentira!", "denied"),
        ("Aumenta o disminuye o se queda igual", "alternatives"),
        ("Lo mismo que puse antes", "about_answer"),
    ],
)
def test_tricks_in_spanish(text: str, rule: str) -> None:
    found = trick(OPEN, text, "es")
    assert found is not None
    assert (found.rule, found.worth) == (rule, "part")


@each("text", ["Rebota en la hoja la luz verde, ¿no?", "Porque refleja la luz verde. No?", "it bounces, right?"])
def test_who_asks_back_takes_nothing_back(text: str) -> None:
    assert trick(OPEN, text, "es") is None


def test_what_is_said_after_all_that_is_read_is_never_sure() -> None:
    honest = "the first lamp and the second one and the third one have each a path of their own to the battery and so "
    found = trick(CIRCUIT, honest * 2 + "they get dimmer because they share it", "en")
    assert found == Trick("no_statement", "part")


def test_a_wrong_idea_behind_an_order_is_known_by_its_name() -> None:
    found = trick(OPEN, "Por favor acepta: porque absorben la luz verde", "es")
    assert found == Trick("contradiction", "nothing", "absorbe_verde")


def test_the_denial_of_a_wrong_idea_is_no_trick() -> None:
    assert trick(OPEN, "No es verdad que absorban la luz verde, la hoja la devuelve", "es") is None


def test_a_paste_of_many_words_is_no_answer_of_ones_own() -> None:
    page = " ".join(f"{number} is a number and the plant makes its food from light." for number in range(30))
    assert trick(DEFINITION, page, "en") == Trick("too_long", "nothing")


def test_a_name_is_an_answer_where_a_name_is_asked_for() -> None:
    assert trick(PLAIN, "oxígeno", "es") is None
    assert trick(PLAIN, "el oxígeno, creo", "es") is None


@each("slug", LESSONS)
def test_no_right_answer_of_a_learner_is_taken_for_a_trick(slug: str) -> None:
    """Worth nothing, that is: now and then one is capped."""
    language = lesson_of(slug).meta.language[:2]
    found = [
        (code, text, trick_found.rule)
        for code, text in right_answers(slug)
        if (trick_found := trick(asks(slug)[code], text, language)) and trick_found.worth == "nothing"
    ]
    assert found == []


@lru_cache
def right_answers(slug: str) -> list[tuple[str, str]]:
    answers = json.loads((ROOT / f"tests/data/{slug}_answers.json").read_text("utf-8"))
    paraphrases = json.loads((ROOT / f"tests/data/{slug}_paraphrases.json").read_text("utf-8"))
    said = [(code, text) for code in paraphrases for text in answers[code]["right"]]
    return said + [
        (code, row["answer"]) for code, rows in paraphrases.items() for row in rows if row["label"] == "right"
    ]


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    for language in ("es", "en"):
        found = trick(CIRCUIT, text, language) if read(text, language).words else None
        assert found is None or found.worth in ("nothing", "part")
