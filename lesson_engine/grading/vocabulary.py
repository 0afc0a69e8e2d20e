"""The words that a lesson knows, none of which is ever taken for a slip of another."""

from collections.abc import Iterator
from typing import Final

from lesson_engine.contracts import Ask, Lesson

from .authored import authored_texts
from .lexicon import base
from .normalise import tokens
from .slips import MIN_LETTERS
from .stems import stem

MAX_WORDS: Final = 20_000
"""Words of a lesson that are kept, those of its questions first; more than any lesson of a few hours has."""
_CHUNK: Final = 300
"""Words read at once, which `tokens` has room for."""


def lesson_vocabulary(lesson: Lesson) -> frozenset[str]:
    """Folded words of the whole lesson that are long enough to be mistyped into, and their stems."""
    language = base(lesson.meta.language)
    words: set[str] = set()
    for text in _texts(lesson):
        for chunk in _chunks(text):
            words.update(word for word in tokens(chunk) if len(word) >= MIN_LETTERS - 1 and word.isalpha())
        if len(words) >= MAX_WORDS:
            break
    return frozenset(words | {stem(word, language) for word in words})


def _texts(lesson: Lesson) -> Iterator[str]:
    steps = [step for moment in lesson.moments for step in moment.steps]
    asks = [step for step in steps if isinstance(step, Ask)]
    for ask in asks:
        yield from sorted(authored_texts(ask))
    yield from (lesson.meta.title, lesson.meta.summary, *lesson.meta.objectives)
    for step in steps:
        if not isinstance(step, Ask):
            yield from _strings(step.model_dump())


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _chunks(text: str) -> Iterator[str]:
    words = text.split()
    for start in range(0, len(words), _CHUNK):
        yield " ".join(words[start : start + _CHUNK])
