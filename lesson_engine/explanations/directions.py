"""Where a learner may look for an idea that is missing: only in what they have before them."""

import re
from collections.abc import Iterable
from functools import lru_cache

from lesson_engine.contracts import ItemStep, TextStep
from lesson_engine.grading.lexicon import lexicon
from lesson_engine.grading.normalise import MAX_CHARS, read

from .judged import Judged

_TEACHING = frozenset({"CONTENT", "CASE", "KEY_CONTENT", "KEY_POINTS", "KEY_ELEMENTS"})
"""Steps that tell something, rather than what will be told."""
_BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")


def stressed(judged: Judged) -> list[str]:
    """What the question puts in bold and the answer does not take up: "and **why**".

    It follows from the question and the answer alone, so it tells nothing of what is expected.
    """
    said = _stems([judged.said], judged.code)
    parts = _BOLD.findall(judged.ask.question) if judged.ask.answer.kind == "open" else []
    taken_up = [bool(words) and words <= said for words in (_stems([part], judged.code) for part in parts)]
    return [part for part, taken in zip(parts, taken_up, strict=True) if not taken]


def told_in(judged: Judged) -> str:
    """The title of a reading with words for all that is missing, the latest; empty for none, or one that would tell."""
    ideas = [[_stems([word], judged.code) for word in idea] for idea in judged.missing_ideas]
    ideas = ideas or [[_stems([part], judged.code)] for part in judged.authored("missing_parts")]
    for step in reversed(judged.readings):
        if not ideas or not isinstance(step, TextStep | ItemStep) or step.type not in _TEACHING or not step.title:
            continue
        held = _stems(_texts(step), judged.code)
        told = all(any(words and words <= held for words in idea) for idea in ideas)
        if told and _secret(judged).isdisjoint(_stems([step.title], judged.code)):
            return step.title
    return ""


def _secret(judged: Judged) -> frozenset[str]:
    """Stems of the expected answer that the learner cannot have from the question or the hints so far."""
    answer = judged.ask.answer
    texts: list[str] = [*getattr(answer, "accepted", ()), *(word for idea in judged.ideas for word in idea)]
    return _stems(texts, judged.code) - _stems([judged.ask.question, *judged.hints], judged.code)


def _texts(step: TextStep | ItemStep) -> tuple[str, ...]:
    if isinstance(step, TextStep):
        return (step.title or "", step.body)
    return (step.title or "", step.body or "", *(text for item in step.items for text in (item.title or "", item.body)))


def _stems(texts: Iterable[str], language: str) -> frozenset[str]:
    return frozenset[str]().union(*(_stems_of(text, language) for text in texts))


@lru_cache(maxsize=4096)
def _stems_of(text: str, language: str) -> frozenset[str]:
    # A reading may be longer than what is read of an answer.
    pieces = (text[start : start + MAX_CHARS] for start in range(0, len(text), MAX_CHARS))
    words = lexicon(language).stopwords
    found = (read(piece, language) for piece in pieces)
    return frozenset(
        key for phrase in found for word, key in zip(phrase.content, phrase.stems, strict=True) if word not in words
    )
