"""Replies made to look right never gain anything: a corpus over every question of the bundled lessons, and plain ones.

Each row of `tests/data/cheating.json` says what is left of the reply once the trick is taken out of it (`deserves`), as
an honest teacher would have it:

- `nothing`: an order, a paste, an encoding, a denial, both sides at once. Nothing is stated, so the reply is wrong or
  not gradable, never partly right for sure.
- `part`: what a person reads holds the right answer beside a wrong one, or in a disguise; at most partly right.
- `right`: only decoration was added ("please accept: ..."). With `exactly` it must not be called wrong for it either.

To be not sure of a cheat gives it nothing: it is asked for again. Heaps of the right words are the one thing of which a
small share may pass (`HEAPS_ACCEPTED`), for a network has to tell them from answers in telegram style.

Words strung together are worth part where a word or three are all the author asks for: "energy, light" is an answer to
what goes in and what comes out. Hidden characters are not read: what a person cannot see neither helps nor harms.

A row has texts with slots, filled from each question (`cheating.py`): what a cheat has at hand, and at
times more than that, since who has the right answer needs no trick. Rows without a slot are tried abroad as well.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from lesson_engine.contracts import Ask, ChoiceAnswer, MultiChoiceAnswer, Reply, Verdict, VerdictResult
from lesson_engine.grading.plain import plain_ask
from tests.each import each
from tests.lesson_engine.grading.cheating import SLOT, filled, names_the_answer, slots_of
from tests.lesson_engine.grading.conftest import GradedOnce
from tests.lesson_engine.grading.labelled import LESSONS, asks, lesson_of, vocabulary_of

Row = dict[str, Any]
ROWS: list[Row] = json.loads((Path(__file__).parents[2] / "data/cheating.json").read_text(encoding="utf-8"))
KINDS = [kind for kind, _ in groupby(ROWS, key=lambda row: row["kind"])]
WORTH = {"nothing": 0, "part": 1, "right": 2}
STRUNG = {"keywords_strung", "keywords_with_glue", "order_with_topic_words", "stuffing"}
HEAPS_ACCEPTED = 0.1
"""Most of the heaps of right words that may pass for an answer."""
SCRAMBLED = re.compile(r"\{right_(?:scrambled|shuffled|swapped_nouns)\}")
"""Slots that have the words of a right answer in another order: heaps too."""
RANK = {
    VerdictResult.NOT_GRADABLE: 0,
    VerdictResult.REJECT: 0,
    VerdictResult.PARTIAL: 1,
    VerdictResult.ACCEPT: 2,
}
ABROAD = ("fotosintesis", "ohms-law")
"""Lessons that meet the rows of the other language too."""
PLAIN = {
    "en": (
        ("Why can we see the moon at night?", "It reflects the light of the sun.", "Sunlight bounces off it to us."),
        ("Which gas do plants give off by day?", "oxygen", "O2"),
    ),
    "es": (
        ("¿Por qué flota el hielo en el agua?", "Porque es menos denso que el agua líquida.", "Tiene menos densidad."),
        ("¿Qué gas sueltan las plantas de día?", "oxígeno", "O2"),
    ),
}


def plain_asks(language: str) -> list[Ask]:
    return [plain_ask(question, tuple(accepted)) for question, *accepted in PLAIN[language]]


def replies(ask: Ask, row: Row, slots: dict[str, str]) -> Iterator[Reply]:
    if ask.answer.kind not in row.get("only", (ask.answer.kind,)):
        return
    text = filled(row["reply"], slots)
    if text is None:
        return
    if isinstance(ask.answer, ChoiceAnswer | MultiChoiceAnswer) and row["kind"] == "choices_ticked":
        yield Reply(choices=tuple(choice.code for choice in ask.answer.choices))
    else:
        yield Reply(text=text)


def fits(row: Row, source: str, language: str) -> bool:
    """Its own language; without a slot also a lesson of the other one."""
    return row["language"] in (language, "both") or (source in ABROAD and not SLOT.search(row["reply"]))


def worth(ask: Ask, row: Row) -> int:
    naming = row["kind"] in STRUNG and names_the_answer(ask)
    return max(WORTH[row["deserves"]], int(naming))


def is_heap(row: Row) -> bool:
    return row["kind"] in STRUNG or bool(SCRAMBLED.search(row["reply"]))


@dataclass(frozen=True)
class Question:
    """What a cheat meets, and what the slots stand for there."""

    ask: Ask
    language: str
    vocabulary: frozenset[str]
    slots: dict[str, str]


@lru_cache
def questions(source: str) -> tuple[Question, ...]:
    """The questions of a lesson or the plain ones of a language."""
    if source in PLAIN:
        return tuple(Question(ask, source, frozenset(), slots_of(ask, source, None)) for ask in plain_asks(source))
    lesson = lesson_of(source)
    language, vocabulary = lesson.meta.language[:2], vocabulary_of(source)
    return tuple(Question(ask, language, vocabulary, slots_of(ask, language, lesson)) for ask in asks(source).values())


def tried(source: str, rows: list[Row]) -> Iterator[tuple[Question, Reply, Row]]:
    """Every reply that the rows make for the questions of a source."""
    for question in questions(source):
        for row in rows:
            if fits(row, source, question.language):
                yield from ((question, reply, row) for reply in replies(question.ask, row, question.slots))


def rank(verdict: Verdict) -> int:
    """What the cheat has of it: of a verdict that is not sure nothing yet."""
    return 0 if verdict.doubtful else RANK[verdict.result]


def told(question: Question, reply: Reply, row: Row, verdict: Verdict) -> str:
    by = f"{verdict.result} by {verdict.rule} ({verdict.score:.2f})"
    return f"{question.ask.code}: {by}: {row['reply']} = {reply.text[:150]!r}"


@pytest.mark.parametrize("source", [*(pytest.param(slug, marks=pytest.mark.hard) for slug in LESSONS), *PLAIN])
@each("kind", KINDS)
def test_cheating_never_gains_anything(kind: str, source: str, graded_once: GradedOnce) -> None:
    gained, harmed = [], []
    rows = [row for row in ROWS if row["kind"] == kind and not is_heap(row)]
    for question, reply, row in tried(source, rows):
        verdict = graded_once(question.ask, reply, question.language, question.vocabulary)
        if rank(verdict) > worth(question.ask, row):
            gained.append(told(question, reply, row, verdict))
        elif row.get("exactly") and not verdict.doubtful and rank(verdict) < worth(question.ask, row):
            harmed.append(told(question, reply, row, verdict))
    assert not gained, "gained something:\n" + "\n".join(gained)
    assert not harmed, "a right answer was harmed:\n" + "\n".join(harmed)


@pytest.mark.parametrize(
    "sources", [pytest.param(LESSONS, marks=pytest.mark.hard, id="lessons"), pytest.param([*PLAIN], id="plain")]
)
def test_hardly_any_heap_of_right_words_passes_for_an_answer(sources: list[str], graded_once: GradedOnce) -> None:
    heaps, gained = 0, []
    for source in sources:
        for question, reply, row in tried(source, [row for row in ROWS if is_heap(row)]):
            verdict = graded_once(question.ask, reply, question.language, question.vocabulary)
            heaps += 1
            if rank(verdict) > worth(question.ask, row):
                gained.append(told(question, reply, row, verdict))
    assert len(gained) <= HEAPS_ACCEPTED * heaps, f"{len(gained)} of {heaps}:\n" + "\n".join(gained)


def test_the_corpus_is_large_and_in_both_languages() -> None:
    found = Counter(row["language"] for row in ROWS)
    assert len(ROWS) >= 200
    assert min(found["en"], found["es"]) >= 80
    assert len(KINDS) == len(set(KINDS)) >= 30
    assert len({(row["reply"], tuple(row.get("only", ()))) for row in ROWS}) == len(ROWS)


def test_every_row_is_tried_somewhere() -> None:
    untried = [
        row["reply"] for row in ROWS if not any(True for source in (*LESSONS, *PLAIN) for _ in tried(source, [row]))
    ]
    assert untried == []
