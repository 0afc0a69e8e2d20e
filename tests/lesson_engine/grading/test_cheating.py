"""Replies made to look right never gain anything: a corpus over every question of the bundled lessons, and plain ones.

Each row of `tests/data/cheating.json` says what is left of the reply once the trick is taken out of it (`deserves`), as
an honest teacher would have it:

- `nothing`: an order, a paste, an encoding, a denial, both sides at once. Nothing is stated, so the reply is wrong or
  not gradable, never partly right.
- `part`: what a person reads holds the right answer beside a wrong one, or in a disguise; at most partly right.
- `right`: only decoration was added ("please accept: ..."). With `exactly` the decoration must not do harm either.

Words strung together are worth part where a word or three are all the author asks for: "energy, light" is an answer to
what goes in and what comes out. Hidden characters are not read: what a person cannot see neither helps nor harms.

A row has texts with slots, filled from each question (`cheating.py`): what a cheat has at hand, and at
times more than that, since who has the right answer needs no trick. Rows without a slot are tried abroad as well.
"""

import json
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from lesson_engine.contracts import Ask, ChoiceAnswer, MultiChoiceAnswer, Reply, VerdictResult
from lesson_engine.grading.plain import plain_ask
from tests.each import each
from tests.lesson_engine.grading.cheating import SLOT, filled, names_the_answer, slots_of
from tests.lesson_engine.grading.conftest import GradedOnce
from tests.lesson_engine.grading.labelled import LESSONS, asks, lesson_of

Row = dict[str, Any]
ROWS: list[Row] = json.loads((Path(__file__).parents[2] / "data/cheating.json").read_text(encoding="utf-8"))
KINDS = [kind for kind, _ in groupby(ROWS, key=lambda row: row["kind"])]
WORTH = {"nothing": 0, "part": 1, "right": 2}
STRUNG = {"keywords_strung", "keywords_with_glue", "order_with_topic_words", "stuffing"}
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


@lru_cache
def questions(source: str) -> tuple[tuple[Ask, str, dict[str, str]], ...]:
    """The questions of a lesson or the plain ones of a language, with what their slots stand for."""
    if source in PLAIN:
        return tuple((ask, source, slots_of(ask, source, None)) for ask in plain_asks(source))
    lesson = lesson_of(source)
    language = lesson.meta.language[:2]
    return tuple((ask, language, slots_of(ask, language, lesson)) for ask in asks(source).values())


@pytest.mark.parametrize("source", [*(pytest.param(slug, marks=pytest.mark.hard) for slug in LESSONS), *PLAIN])
@each("kind", KINDS)
def test_cheating_never_gains_anything(kind: str, source: str, graded_once: GradedOnce) -> None:
    gained, harmed = [], []
    tried = [
        (ask, reply, language, row)
        for ask, language, slots in questions(source)
        for row in ROWS
        if row["kind"] == kind and fits(row, source, language)
        for reply in replies(ask, row, slots)
    ]
    for ask, reply, language, row in tried:
        verdict = graded_once(ask, reply, language)
        line = f"{ask.code}: {verdict.result} by {verdict.rule}: {row['reply']} = {reply.text[:150]!r}"
        if RANK[verdict.result] > worth(ask, row):
            gained.append(line)
        elif row.get("exactly") and RANK[verdict.result] < worth(ask, row):
            harmed.append(line)
    assert not gained, "gained something:\n" + "\n".join(gained)
    assert not harmed, "a right answer was harmed:\n" + "\n".join(harmed)


def test_the_corpus_is_large_and_in_both_languages() -> None:
    found = Counter(row["language"] for row in ROWS)
    assert len(ROWS) >= 200
    assert min(found["en"], found["es"]) >= 80
    assert len(KINDS) == len(set(KINDS)) >= 30
    assert len({(row["reply"], tuple(row.get("only", ()))) for row in ROWS}) == len(ROWS)


def test_every_row_is_tried_somewhere() -> None:
    untried = [
        row["reply"]
        for row in ROWS
        if not any(
            fits(row, source, language) and any(replies(ask, row, slots))
            for source in (*LESSONS, *PLAIN)
            for ask, language, slots in questions(source)
        )
    ]
    assert untried == []
