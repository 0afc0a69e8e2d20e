"""Slips of the keyboard, and the words of a language that are never taken for one ("affect" for "effect").

The words are in `data/confusable-<language>.json`, made by `benchmarks/confusable_words.py`: those that are one edit
away from another word, and those pairs of them that are one word after all.
"""

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from language import language_base
from language.word_lists import json_file

MIN_LETTERS: Final = 5
"""Letters from which a word may be misspelt; a slip may have left one of them out."""

_DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Confusables:
    """What is known of the words of one language, folded."""

    words: frozenset[str]
    variants: dict[str, str]
    """Another spelling of the same word, by the one kept: "colour" by "color"."""
    forms: dict[str, frozenset[int]]
    """Forms of one word that differ by one edit and in their stem ("arise", "arose"), by the words they are of."""


@lru_cache(maxsize=4)
def confusables(language: str) -> Confusables:
    """The words of a language; a few milliseconds the first time."""
    data = json_file(_DATA / f"confusable-{language_base(language)}.json")
    forms: dict[str, set[int]] = {}
    for at, line in enumerate(data["forms"]):
        for word in line.split():
            forms.setdefault(word, set()).add(at)
    return Confusables(
        words=frozenset(word for line in data["words"] for word in line.split()),
        variants={word: line.split()[0] for line in data["variants"] for word in line.split()},
        forms={word: frozenset(places) for word, places in forms.items()},
    )


def is_word(word: str, language: str) -> bool:
    """Whether a folded word is one of the language that another could be mistyped into."""
    return word in confusables(language).words


def is_variant(first: str, second: str, language: str) -> bool:
    """Whether two folded words are spellings of the same: "colour" and "color"."""
    variants = confusables(language).variants
    return variants.get(first, first) == variants.get(second, second)


def are_forms(first: str, second: str, language: str) -> bool:
    """Whether two folded words are forms of one: "arise" and "arose"."""
    forms = confusables(language).forms
    return not forms.get(first, frozenset()).isdisjoint(forms.get(second, frozenset()))


def is_slip(typed: str, target: str) -> bool:
    """Whether one edit parts two folded words that are long enough for it."""
    long_enough = len(typed) >= MIN_LETTERS - 1 and len(target) >= MIN_LETTERS
    return long_enough and typed.isalpha() and target.isalpha() and one_edit_apart(typed, target)


def one_edit_apart(first: str, second: str) -> bool:
    """Whether one letter put in, left out, changed or swapped with its neighbour makes one word of the other."""
    if abs(len(first) - len(second)) > 1:
        return False
    pairs = enumerate(zip(first, second, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))
    tail, other_tail = first[at:], second[at:]
    if len(tail) != len(other_tail):
        return tail[1:] == other_tail if len(tail) > len(other_tail) else other_tail[1:] == tail
    if tail[1:] == other_tail[1:]:
        return True
    return len(tail) > 1 and tail[:2] == other_tail[1::-1] and tail[2:] == other_tail[2:]
