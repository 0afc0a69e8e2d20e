"""The texts of an ASK, and the words that a lesson knows, none of which is ever taken for a slip of another."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from language import language_base
from lesson_engine.contracts import Ask, Lesson

from .andamio_3.stems import stem
from .normalise import tokens
from .slips import MIN_LETTERS

MAX_WORDS: Final = 20_000
"""Words of a lesson that are kept, those of its questions first; more than any lesson of a few hours has."""
_CHUNK: Final = 300
"""Words read at once, which `tokens` has room for."""


@lru_cache(maxsize=512)
def authored_texts(ask: Ask) -> frozenset[str]:
    """Every text of the ASK, codes included: the same for every learner, so that its vectors are worth keeping."""
    return frozenset(_texts(ask.model_dump()))


def lesson_vocabulary(lesson: Lesson) -> frozenset[str]:
    """Folded words of the whole lesson that are long enough to be mistyped into, and their stems."""
    language = language_base(lesson.meta.language)
    words: set[str] = set()
    for text in _lesson_texts(lesson):
        pieces = text.split()
        for start in range(0, len(pieces), _CHUNK):
            read = tokens(" ".join(pieces[start : start + _CHUNK]))
            words.update(word for word in read if len(word) >= MIN_LETTERS - 1 and word.isalpha())
        if len(words) >= MAX_WORDS:
            break
    return frozenset(words | {stem(word, language) for word in words})


def _lesson_texts(lesson: Lesson) -> Iterator[str]:
    steps = [step for moment in lesson.moments for step in moment.steps]
    for step in steps:
        if isinstance(step, Ask):
            yield from sorted(authored_texts(step))
    yield from (lesson.meta.title, lesson.meta.summary, *lesson.meta.objectives)
    for step in steps:
        if not isinstance(step, Ask):
            yield from _texts(step.model_dump())


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
