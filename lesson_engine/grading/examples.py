"""Answers to a question that staff judged: which of them says the same as a reply, and how a verdict names them all."""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from lesson_engine.contracts import LabelledAnswer, Verdict, VerdictResult

from .lexicon import lexicon
from .normalise import read
from .verdicts import GRADER_VERSION

_SIGNS: Final = frozenset("<>≤≥≠=*×·÷/+-−")
_SCORES: Final = {VerdictResult.ACCEPT: 1.0, VerdictResult.PARTIAL: 0.5, VerdictResult.REJECT: 0.0}


def examples_digest(examples: Sequence[LabelledAnswer]) -> str:
    """16 hexadecimal digits of the examples' ids, texts and results; the same in whatever order they come."""
    rows = sorted((example.id, example.text, example.result.value) for example in examples)
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def examples_details(examples: Sequence[LabelledAnswer]) -> dict[str, Any]:
    """What a verdict's details say of the examples that were looked at. Never a word of them: they are other people's.

    Empty without examples.
    """
    if not examples:
        return {}
    return {"examples": [example.id for example in examples], "examples_digest": examples_digest(examples)}


def example_verdict(kind: str, text: str, examples: Sequence[LabelledAnswer], language: str) -> Verdict | None:
    """The verdict that staff gave on the same answer; the last one where they gave several. None where they gave none.

    `kind` is the question's; `examples` come in the order in which staff decided.
    """
    same = [example for example in examples if is_same_answer(example.text, text, language)]
    if not same:
        return None
    result = same[-1].result
    score = _SCORES.get(result, 0.0)
    return Verdict(result=result, rule=f"{kind}.example", score=score, grader=GRADER_VERSION, provenance="example")


def is_same_answer(text: str, other: str, language: str) -> bool:
    """Whether two answers are the same but for case, accents, articles and punctuation. Signs must be equal."""
    return _normal(text, language) == _normal(other, language) != ("", ())


def is_turned(text: str, other: str, language: str) -> bool:
    """Whether one of two answers denies something and the other does not, or they name different numbers.

    Vectors hardly tell such answers apart.
    """
    return _turning(text, language) != _turning(other, language)


def _turning(text: str, language: str) -> tuple[int, list[str]]:
    words, negations = read(text, language).words, lexicon(language).negations
    return sum(word in negations for word in words) % 2, sorted(word for word in words if word[-1].isdigit())


def _normal(text: str, language: str) -> tuple[str, tuple[str, ...]]:
    phrase = read(text, language)
    return phrase.key, tuple(char for char in phrase.text if char in _SIGNS)
