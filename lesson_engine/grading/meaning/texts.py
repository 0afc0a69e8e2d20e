"""A text in the forms that are compared with those of another one."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from ..lexicon import lexicon
from ..normalise import Phrase, read, read_authored

MOST_WORDS: Final = 50
_MOST_QUESTION_WORDS, _MOST_CLAUSES = 60, 8
_JOINTS: Final = (
    "because|so|and|but|when|if|that|which|while|therefore|since|whereas"
    "|porque|pues|asi que|así que|y|e|pero|cuando|si|que|mientras|por eso|ya que|sino"
)
_BREAK: Final = re.compile(rf"[.;,!?\n]+|(?<=\s)(?:{_JOINTS})(?=\s)", re.IGNORECASE)


def clauses(text: str) -> tuple[str, ...]:
    """The clauses of a text in order, without the words that join them; the text itself where there is none."""
    return tuple(piece.strip() for piece in _BREAK.split(text.lower()) if piece.strip()) or (text,)


@dataclass(frozen=True, slots=True)
class Text:
    """The forms of one text; `denials` counts its negations."""

    text: str
    phrase: Phrase
    words: tuple[str, ...]
    content: tuple[str, ...]
    stems: frozenset[str]
    clauses: tuple[str, ...]
    numerals: frozenset[str]
    denials: int


@lru_cache(maxsize=32)
def text_of(text: str, language: str) -> Text:
    """Of a reply, which is compared several times in its own turn and not kept much longer."""
    return _text_of(text, read(text, language), language)


@lru_cache(maxsize=8192)
def authored_text_of(text: str, language: str) -> Text:
    """Of a text of the lesson, which comes back with every answer."""
    return _text_of(text, read_authored(text, language), language)


def _text_of(text: str, phrase: Phrase, language: str) -> Text:
    data = lexicon(language)
    return Text(
        text=text,
        phrase=phrase,
        words=tuple(dict.fromkeys(phrase.words))[:_MOST_QUESTION_WORDS],
        content=tuple(dict.fromkeys(phrase.content))[:MOST_WORDS],
        stems=frozenset(phrase.stems),
        clauses=clauses(text)[:_MOST_CLAUSES],
        numerals=_numerals(phrase),
        denials=sum(word in data.negations for word in phrase.words),
    )


_DIGITS: Final = {
    word: str(value)
    for value, words in enumerate(
        ("zero cero", "one uno una un", "two dos", "three tres", "four cuatro", "five cinco", "six seis", "seven siete")
    )
    for word in words.split()
    if word not in ("un", "una")
}


def _numerals(phrase: Phrase) -> frozenset[str]:
    """Numbers and letters that name things: "4", "4.5", "bulb B"."""
    words = (_DIGITS.get(word, word) for word in phrase.words)
    return frozenset(word for word in words if word[0].isdigit() or (len(word) == 1 and word in "bcdfghx"))
