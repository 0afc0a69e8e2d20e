"""Amounts for one: "6 euros per kilo" where it is asked how many euros a kilo costs."""

import re
from functools import lru_cache
from typing import Final

from language.number_words import part_of

from .givens import sentence_asked
from .units import Unit, read_whole_unit, same_dimension

_ASKS: Final = re.compile(r"\b(?:how|what|which|cuant[oa]s?|cual(?:es)?)\b|(?:^|¿)\s*(?:[a-z]+ )?que\b")
_LEADS: Final = re.compile(r"\s*(?:in|for|per|each|every|en|por|cada)\b")
"""How "In an hour, how far ..." begins, which is asked about; "A kilo costs 6 euros, how much ..." is given."""
_GIVEN: Final = re.compile(r"[;:?]|\b(?:if|when|given|knowing|si|cuando|sabiendo)\b")
"""What comes after these in a question is no longer asked."""
_TOKEN: Final = re.compile(r"[^\W\d_]+|\d+(?:[.,/]\d+)*|[/€$£]")
_RATES: Final = frozenset({"a", "an", "per", "each", "every", "una", "cada", "por", "la", "al", "/"})
_ONE: Final = _RATES | {"one", "1", "single", "the", "un", "uno", "el", "del"}
_NUMERAL: Final = re.compile(r"\d")


def unit_for_one(unit: Unit | None, expected: Unit | None, question: str, language: str) -> Unit | None:
    """The unit without what stands under it, where the question asks for one of that; any other unit as it is."""
    if unit is None or expected is None:
        return unit
    over, under = _parted(unit)
    if not under or not same_dimension(over, expected) or same_dimension(unit, expected):
        return unit
    return over if all(_asks_for_one(name, question, language) for name in under) else unit


def _parted(unit: Unit) -> tuple[Unit, list[str]]:
    """What stands over and what stands under the line; pint has "kilometer_per_hour" as one name."""
    factors: dict[str, int] = {}
    for name, power in unit.factors:
        over, _, under = name.partition("_per_")
        for part, sign in ((over, 1), (under, -1)):
            if part:
                factors[part] = factors.get(part, 0) + sign * power
    over_line = tuple(sorted((name, power) for name, power in factors.items() if power > 0))
    # "m/s²" is for one of nothing.
    under_line = [name for name, power in factors.items() if power < 0]
    return Unit(factors=over_line), under_line if all(factors[name] == -1 for name in under_line) else []


@lru_cache(maxsize=512)
def _asks_for_one(name: str, question: str, language: str) -> bool:
    """Whether the question is about one of that unit, and neither about 2 nor about half of it."""
    words = _TOKEN.findall(_what_is_asked(question))
    wanted = Unit(factors=((name, 1),))
    found = False
    for at, word in enumerate(words):
        if not word.isalpha() or read_whole_unit(word, language) != wanted or _is_rate_given(words, at):
            continue
        if not at or words[at - 1] not in _ONE or _is_part(words, at):
            return False
        found = True
    return found


def _what_is_asked(question: str) -> str:
    sentence = sentence_asked(question)
    asks = _ASKS.search(sentence)
    if asks is None:
        return sentence
    leads = [part for part in re.split(r"[,;:]", sentence[: asks.start()]) if _LEADS.match(part)]
    return " ".join([*leads, _GIVEN.split(sentence[asks.start() :])[0]])


def _is_rate_given(words: list[str], at: int) -> bool:
    """Such as the hour of "60 km per hour" and "60 km/h"."""
    back = at - 1
    while back > 0 and words[back] in _RATES:
        back -= 1
    return back < at - 1 and back > 0 and bool(_NUMERAL.match(words[back - 1]))


def _is_part(words: list[str], at: int) -> bool:
    """Such as "half an hour", "a quarter of the hour" and "una hora y media"."""
    near = (*words[max(0, at - 3) : at], *words[at + 1 : at + 4])
    return any(word in ("half", "media", "medio") or (part_of(word) or 0) > 1 for word in near)
