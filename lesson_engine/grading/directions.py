"""Where a learner may look for an idea that is missing: only in what they have before them."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from lesson_engine.contracts import Ask, ItemStep, Step, TextStep

from .andamio_3.fold import MAX_CHARS
from .lexicon import lexicon
from .normalise import read

_TEACHING = frozenset({"CONTENT", "CASE", "KEY_CONTENT", "KEY_POINTS", "KEY_ELEMENTS"})
"""Steps that teach, rather than announce."""
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")


def stressed_parts(ask: Ask, text: str, language: str) -> list[str]:
    """The parts that an open question puts in bold and the answer does not take up: "and **why**".

    They follow from the question and the answer alone, so they give nothing of the expected answer away.
    """
    parts = _BOLD.findall(ask.question) if ask.answer.kind == "open" else []
    if not parts:
        return []
    stems = _content_stems(text, language)
    taken_up = (bool(words) and words <= stems for words in (_stems([part], language) for part in parts))
    return [part for part, taken in zip(parts, taken_up, strict=True) if not taken]


def readings_that_tell(
    ask: Ask, ideas: Sequence[Sequence[str]], readings: Sequence[Step], language: str
) -> list[dict[str, Any]]:
    """The readings with words for all ideas, the latest first: `title`, and after how many `hints` it may be named.

    A title with words of the expected answer would give them away, until a hint has.
    """
    wanted = [[_stems([word], language) for word in idea] for idea in ideas]
    telling: list[dict[str, Any]] = []
    for step in reversed(readings if wanted else ()):
        if not isinstance(step, TextStep | ItemStep) or step.type not in _TEACHING or not step.title:
            continue
        stems = _stems(_texts(step), language)
        if all(any(words and words <= stems for words in idea) for idea in wanted):
            hints = _hints_needed(ask, step.title, language)
            telling += [{"title": step.title, "hints": hints}] if hints is not None else []
    return telling


def _hints_needed(ask: Ask, title: str, language: str) -> int | None:
    """After how many hints the title gives away nothing that question and hints do not; None for never."""
    groups: Sequence[Sequence[str]] = getattr(ask.answer, "keyword_groups", ())
    expected = _stems([*getattr(ask.answer, "accepted", ()), *(word for group in groups for word in group)], language)
    secret = (_stems([title], language) & expected) - _stems([ask.question], language)
    for count in range(len(ask.hints) + 1):
        if secret <= _stems(ask.hints[:count], language):
            return count
    return None


def _texts(step: TextStep | ItemStep) -> tuple[str, ...]:
    if isinstance(step, TextStep):
        return (step.title or "", step.body)
    return (step.title or "", step.body or "", *(text for item in step.items for text in (item.title or "", item.body)))


def _stems(texts: Iterable[str], language: str) -> frozenset[str]:
    return frozenset[str]().union(*(_authored_stems(text, language) for text in texts))


@lru_cache(maxsize=4096)
def _authored_stems(text: str, language: str) -> frozenset[str]:
    # A reading may be longer than what is read of an answer.
    pieces = (text[start : start + MAX_CHARS] for start in range(0, len(text), MAX_CHARS))
    return frozenset[str]().union(*(_content_stems(piece, language) for piece in pieces))


def _content_stems(text: str, language: str) -> frozenset[str]:
    small, phrase = lexicon(language).stopwords, read(text, language)
    return frozenset(stem for word, stem in zip(phrase.content, phrase.stems, strict=True) if word not in small)
