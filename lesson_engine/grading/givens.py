"""What a question gives and asks: numbers that a reply may only repeat, and words that its answer may take up."""

import re
from functools import lru_cache

from language.fold import fold_in_place
from language.number_words import worded

from .andamio_3.stems import stem
from .lexicon import small_talk
from .numbers import Number, prepare
from .quantities import Quantity, quantities
from .units import Unit, same_dimension


@lru_cache(maxsize=512)
def given(question: str, language: str) -> tuple[Quantity, ...]:
    """The numbers of a question, in digits and in words."""
    in_words = (
        Quantity(Number((number.value,), number.start, number.end, number.percent), None)
        for number in worded(prepare(question))
    )
    return (*quantities(question, language), *in_words)


@lru_cache(maxsize=512)
def asked(question: str, language: str) -> frozenset[str]:
    """The stems of the words of its last sentence."""
    words = re.findall(r"[^\W\d_]+", sentence_asked(question))
    return frozenset(stem(word, language) for word in words if word not in small_talk())


def sentence_asked(question: str) -> str:
    """The sentence of a question that asks, folded; the first one where none has a question mark."""
    return max(re.split(r"[.!¿]\s", fold_in_place(question)), key=lambda sentence: "?" in sentence)


def repeats(quantity: Quantity, theirs: Quantity) -> bool:
    """Whether the number is the question's, with a unit of its kind or without."""
    mine, other = quantity.number, theirs.number
    same = mine.percent == other.percent and not set(mine.readings).isdisjoint(other.readings)
    return same and not of_other_kind(quantity.unit, theirs.unit)


def of_other_kind(unit: Unit | None, expected: Unit | None) -> bool:
    """Whether both are known, and one cannot be converted into the other."""
    if unit is None or expected is None or not (unit.factors and expected.factors):
        return False
    return not same_dimension(unit, expected)
