"""Answers to the bundled lessons as learners word them, labelled by hand: `tests/data/<slug>_answers.json`."""

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from lesson_engine.contracts import Ask, ChoiceAnswer, Lesson, MultiChoiceAnswer, Reply, Verdict, VerdictResult
from lesson_engine.grading.vocabulary import lesson_vocabulary

ROOT = Path(__file__).parents[3]
LESSONS = sorted(path.stem for path in (ROOT / "lesson_engine/lessons").glob("*.json"))
USUAL = ("fotosintesis",)
"""A lesson of each language. What takes long meets the others in `make test-hard`."""
EXPECTED = {
    "right": {VerdictResult.ACCEPT},
    "partial": {VerdictResult.PARTIAL},
    "wrong": {VerdictResult.REJECT, VerdictResult.NOT_GRADABLE},
}
Rows = list[tuple["Labelled", Verdict]]


@dataclass(frozen=True)
class Labelled:
    """One reply, what a teacher says of it, and the question."""

    ask: Ask
    label: str
    reply: Reply


def usual_or_hard(slug: str) -> ParameterSet:
    """The lesson as a parameter of a test that takes long."""
    return pytest.param(slug, marks=() if slug in USUAL else pytest.mark.hard)


@lru_cache
def lesson_of(slug: str) -> Lesson:
    return Lesson.model_validate_json((ROOT / f"lesson_engine/lessons/{slug}.json").read_bytes())


@lru_cache
def vocabulary_of(slug: str) -> frozenset[str]:
    """What a session gives the grader to know."""
    return lesson_vocabulary(lesson_of(slug))


def asks(slug: str) -> dict[str, Ask]:
    return {step.code: step for moment in lesson_of(slug).moments for step in moment.steps if isinstance(step, Ask)}


def labelled(slug: str) -> list[Labelled]:
    said = json.loads((ROOT / f"tests/data/{slug}_answers.json").read_text(encoding="utf-8"))
    by_code = asks(slug)
    return [
        Labelled(by_code[code], label, _reply(by_code[code], answer))
        for code, by_label in said.items()
        for label, answers in by_label.items()
        for answer in answers
    ]


def _reply(ask: Ask, said: str | list[str]) -> Reply:
    if isinstance(said, list):
        return Reply(choices=tuple(said))
    return Reply(choices=(said,)) if isinstance(ask.answer, ChoiceAnswer | MultiChoiceAnswer) else Reply(text=said)
