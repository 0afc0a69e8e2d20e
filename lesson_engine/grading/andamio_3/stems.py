"""Light stems for Spanish and English, enough to match "absorben" with "absorber" and "plants" with "plant"."""

import re
from functools import lru_cache
from typing import Final

from language import language_base

from ..lexicon import lexicon

_MIN_STEM = 4
_CHEMISTRY: Final = frozenset({"carbonate", "carbonates", "bicarbonate", "bicarbonates"})
"""Words whose ending is no ending: carbonate is not carbon."""


@lru_cache(maxsize=20_000)
def stem(word: str, language: str) -> str:
    """The stem of a folded word; words with digits (CO2) and very short ones are their own stem."""
    irregular = lexicon(language).irregular.get(word)
    if irregular is not None:
        return irregular
    if word in _CHEMISTRY:
        return word.rstrip("es")
    if any(char.isdigit() for char in word):
        return word
    return _spanish(word) if language_base(language) == "es" else _english(word)


def _spanish(word: str) -> str:
    word = _spanish_singular(word)
    word = lexicon("es").irregular.get(word, word)
    word = _without_ending(word, "es")
    if len(word) >= 6:
        # Stem changes of verbs: convierte and convertir. Short words differ by it: suelo and sol.
        word = word.replace("ie", "e").replace("ue", "o")
    return word[:-1] + "c" if word.endswith("z") else word


def _without_ending(word: str, language: str) -> str:
    for ending, room in _endings(language).get(word[-1:], ()):
        if word.endswith(ending) and len(word) - len(ending) >= room:
            return word[: -len(ending)]
    return word


@lru_cache(maxsize=2)
def _endings(language: str) -> dict[str, list[tuple[str, int]]]:
    """Endings by their last letter, in the order in which they are tried, with the least length of what is left."""
    short = ("ing", "ed", "ly") if language == "en" else [e for e in lexicon(language).endings if len(e) <= 2]
    endings: dict[str, list[tuple[str, int]]] = {}
    for ending in lexicon(language).endings:
        endings.setdefault(ending[-1], []).append((ending, 3 if ending in short else _MIN_STEM))
    return endings


def _spanish_singular(word: str) -> str:
    if len(word) >= 5 and re.search(r"[bcdfgjlmnrstz]es$", word):
        return word[:-2]
    if len(word) >= 4 and re.search(r"[aeo]s$", word) and word not in ("menos", "antes"):
        return word[:-1]
    return word


def _english(word: str) -> str:
    word = _english_singular(word)
    word = _without_ending(word, "en")
    if len(word) >= 4 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    if len(word) >= 4 and word.endswith("e"):
        word = word[:-1]
    return word[:-1] + "i" if len(word) >= 4 and word.endswith("y") else word


def _english_singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and re.search(r"(ss|x|z|ch|sh)es$", word):
        return word[:-2]
    if len(word) > 3 and re.search(r"[^siu]s$", word):
        return word[:-1]
    return word
