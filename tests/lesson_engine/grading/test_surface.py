"""Case, final stops, accents, doubled letters, quotes and usual shorthand leave a verdict as it is."""

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.fold import fold
from lesson_engine.contracts import Reply
from tests.lesson_engine.grading.conftest import GradedOnce
from tests.lesson_engine.grading.labelled import Labelled, labelled, lesson_of, vocabulary_of

SHORTHAND = {
    "en": {"because": "bc", "you": "u", "are": "r", "people": "ppl", "do not": "dont", "through": "thru"},
    "es": {"porque": "xq", "que": "q", "también": "tb", "de": "d", "por": "x", "como": "cmo", "donde": "dnd"},
}


def _written(slug: str) -> list[Labelled]:
    answers = [one for one in labelled(slug) if one.ask.answer.kind in ("open", "definition") and one.reply.text]
    # Signs and formulas are not surface: "R" is a quantity there.
    return [one for one in answers if re.fullmatch(r"[^\W\d_]{2,}(?:[ ,.;:!?'’]+[^\W\d_]{2,})*[ .!?]*", one.reply.text)]


def _in_short(text: str, language: str) -> str:
    for full, short in SHORTHAND[language].items():
        text = re.sub(rf"\b{full}\b", short, text)
    return text


def _doubled(text: str) -> str:
    """A letter in the longest word typed twice."""
    word = max(re.findall(r"[^\W\d_]+", text), key=len)
    at = len(word) // 2
    return text.replace(word, word[:at] + word[at] + word[at:], 1) if len(word) > 5 else text


CHANGES: dict[str, Callable[[str, str], str]] = {
    "capitals": lambda text, _: text.upper(),
    "small letters": lambda text, _: text.lower(),
    "a final stop": lambda text, _: text.rstrip(" .!?") + ".",
    "no final stop": lambda text, _: text.rstrip(" .!?"),
    "three exclamation marks": lambda text, _: text.rstrip(" .!?") + "!!!",
    "no accents": lambda text, _: fold(text) if not text.isascii() else text,
    "quotes": lambda text, _: f"“{text}”",
    "blanks": lambda text, _: f"  {text.replace(' ', '   ')}\n",
    "shorthand": _in_short,
    "a doubled letter": lambda text, _: _doubled(text),
}
_LESSONS = ("fotosintesis", "fractions")
_ANSWERS = [(slug, one) for slug in _LESSONS for one in _written(slug)]


@pytest.mark.parametrize("change", CHANGES)
@given(st.sampled_from(_ANSWERS))
@settings(max_examples=40)
def test_the_verdict_stays(change: str, graded_once: GradedOnce, answer: tuple[str, Labelled]) -> None:
    slug, one = answer
    language, vocabulary = lesson_of(slug).meta.language, vocabulary_of(slug)
    changed = CHANGES[change](one.reply.text, language)
    before, after = (graded_once(one.ask, Reply(text=text), language, vocabulary) for text in (one.reply.text, changed))
    assert (after.result, after.zone, after.misconception) == (before.result, before.zone, before.misconception), (
        changed
    )
