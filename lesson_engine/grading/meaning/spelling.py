"""The words of a text as a dictionary spells them, so that case, accents, slips and shorthand do not count.

"xq las plnatas cojen la enrgia" is read as "porque las plantas cogen la energía". What the ASK writes is kept as it
writes it, and a word that the lesson or the language knows is never taken for another.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from rapidfuzz import process
from rapidfuzz.distance import OSA

from language.fold import without_accents
from language.word_lists import json_file

from ..andamio_3.fold import clean
from ..lexicon import lexicon

MOST_WORDS: Final = 60
BREAK: Final = ","
"""Stands for every sign at which a clause ends."""
_DATA: Final = Path(__file__).parent.parent / "data"
_COMMON: Final = 3.2
"""Zipf frequency from which a word is common enough that another one may be a slip for it."""
_RARE: Final = 2.0
"""Zipf frequency of a word that is not listed."""
_LEAST_WRITTEN: Final = 3
_LEAST_LETTERS, _LONG = 4, 8
"""Letters from which a word may have a slip, and from which it may have two."""
_PIECE: Final = re.compile(r"\d+(?:[.,/]\d+)*|[^\W\d_]+|[=<>+*/%×÷≤≥≠→-]|[.,;:!?¡¿()\n]")
_TWICE: Final = re.compile(r"(.)(?=\1)")
_SAME_SIGN: Final = {"→": "=", "×": "*", "÷": "/"}
_CONTRACTED: Final = (
    (re.compile(r"\b(?:can't|cannot)\b"), "can not"),
    (re.compile(r"\bwon't\b"), "will not"),
    (re.compile(r"n't\b"), " not"),
    (re.compile(r"\b(it|that|there|here|what|he|she|who)'s\b"), r"\1 is"),
    (re.compile(r"'re\b"), " are"),
    (re.compile(r"'ve\b"), " have"),
    (re.compile(r"'ll\b"), " will"),
    (re.compile(r"\bi'm\b"), "i am"),
    (re.compile(r"'d\b"), " would"),
    (re.compile(r"'s\b|s'(?=\s)"), "s"),
)
_SOUNDS: Final[Mapping[str, tuple[tuple[re.Pattern[str], str], ...]]] = {
    "es": tuple(
        (re.compile(pattern), sound)
        for pattern, sound in (
            (r"(.)\1+", r"\1"), ("ch", "#"), ("h", ""), ("qu", "k"), ("v", "b"), ("z", "s"), (r"c(?=[ei])", "s"),
            ("c", "k"), ("x", "s"), (r"g(?=[ei])", "j"), (r"gu(?=[ei])", "g"),
        )
    ),
    "en": tuple(
        (re.compile(pattern), sound)
        for pattern, sound in ((r"(.)\1+", r"\1"), ("ph", "f"), ("ck", "k"), ("gh", ""), ("ie", "ei"))
    ),
}  # fmt: skip
"""Letters that sound alike, one after the other; "ll" is "y" before all of them in Spanish."""


@dataclass(frozen=True, slots=True)
class Dictionary:
    """What is known of the words of one language, by their folded form."""

    spelling: dict[str, str]
    frequency: dict[str, float]
    by_sound: dict[str, str]
    """The commonest word of each sound."""
    by_length: dict[int, list[str]]
    """Common words by their length, the commonest first."""


@dataclass(frozen=True)
class Known:
    """The words of an ASK, folded, each as it is written there, and those of its lesson."""

    written: Mapping[str, str] = field(default_factory=dict)
    short: frozenset[str] = frozenset()
    """Those of one or two letters, which stand for no other word there: "R" in "V = R x I"."""
    lesson: frozenset[str] = frozenset()


@lru_cache(maxsize=65_536)
def bare(word: str) -> str:
    """In small letters without accents; "ñ" is "n"."""
    return without_accents(word.lower())


def known_words(texts: Iterable[str], lesson: frozenset[str] = frozenset()) -> Known:
    """What the texts of an ASK know. Of two spellings the one with an accent is kept."""
    written: dict[str, str] = {}
    short: set[str] = set()
    for text in texts:
        for word in re.findall(r"[^\W\d_]+", clean(text).lower()):
            if len(word) < _LEAST_WRITTEN:
                short.add(bare(word))
            elif word != bare(word) or bare(word) not in written:
                written[bare(word)] = word
    return Known(written, frozenset(short), lesson)


def spelt_words(text: str, language: str, known: Known) -> tuple[str, ...]:
    """At most `MOST_WORDS` words, numerals and signs, with `BREAK` where a clause ends but at the very end."""
    plain = clean(text).lower().replace("’", "'")
    if language == "en":
        for pattern, full in _CONTRACTED:
            plain = pattern.sub(full, plain)
    words: list[str] = []
    for piece in _PIECE.findall(plain):
        if piece[0].isdigit():
            words.append(piece.replace(",", "."))
        elif piece[0].isalpha():
            word = written_out(piece, language, known) or _spelt(piece, language, known)
            full = written_out(word, language, known) or word
            words.extend(_spelt(part, language, known) for part in full.split())
        elif piece in "=<>+*/%×÷≤≥≠→-":
            words.append(_SAME_SIGN.get(piece, piece))
        elif words and words[-1] != BREAK:
            words.append(BREAK)
        if len(words) > MOST_WORDS:
            break
    words = words[:MOST_WORDS]
    while words and words[-1] == BREAK:
        words.pop()
    return tuple(words)


def written_out(word: str, language: str, known: Known) -> str | None:
    """What a word is short for. A slip of one is found by its spelling first: "dosent" is "doesnt"."""
    folded, listed = bare(word), lexicon(language)
    if folded in known.written or folded in known.short:
        return None
    return listed.shorthand.get(folded) or listed.texting.get(folded)


@lru_cache(maxsize=65_536)
def frequency(word: str, language: str) -> float:
    """Zipf frequency of a spelt word: 7.5 for the commonest, 2 for one that is not listed."""
    return dictionary(language).frequency.get(bare(word), _RARE)


def _spelt(word: str, language: str, known: Known) -> str:
    folded = bare(word)
    if folded in known.written:
        return known.written[folded]
    listed = dictionary(language).spelling.get(folded)
    if listed or folded in known.lesson or len(folded) < _LEAST_LETTERS:
        return listed or folded
    if once := _typed_once(folded, language, known):
        return once
    if near := _nearest(folded, language, known.written):
        return known.written[near]
    common = _common_word(folded, language) or folded
    return known.written.get(bare(common), common)


def _typed_once(folded: str, language: str, known: Known) -> str | None:
    """The word that this one is but for a letter typed twice."""
    for twice in _TWICE.finditer(folded):
        once = folded[: twice.start()] + folded[twice.start() + 1 :]
        found = known.written.get(once) or dictionary(language).spelling.get(once)
        if found or once in known.lesson:
            return found or once
    return None


def _nearest(folded: str, language: str, written: Mapping[str, str]) -> str | None:
    """The word of the ASK that this one is a slip of."""
    sound, most = _sound(folded, language), 2 if len(folded) >= _LONG else 1
    near = [
        (OSA.distance(folded, word), word)
        for word in written
        if len(word) >= _LEAST_LETTERS
        and abs(len(word) - len(folded)) <= 2
        and (OSA.distance(folded, word, score_cutoff=most) <= most or _sound(word, language) == sound)
    ]
    return min(near)[1] if near else None


@lru_cache(maxsize=16_384)
def _common_word(folded: str, language: str) -> str | None:
    """The common word that this one sounds like, or is a slip of."""
    words = dictionary(language)
    alike = words.by_sound.get(_sound(folded, language))
    if alike is not None:
        return words.spelling[alike]
    for most in range(1, 3 if len(folded) >= _LONG else 2):
        lengths = range(len(folded) - most, len(folded) + most + 1)
        choices = [word for length in lengths for word in words.by_length.get(length, ())]
        near = process.extract(folded, choices, scorer=OSA.distance, score_cutoff=most, limit=None)
        # Hardly anybody mistypes both ends of a word.
        kept = [word for word, _, _ in near if word[0] == folded[0] or word[-1] == folded[-1]]
        if kept:
            return words.spelling[max(kept, key=lambda word: (words.frequency[word], word))]
    return None


@lru_cache(maxsize=65_536)
def _sound(folded: str, language: str) -> str:
    sound = folded.replace("ll", "y") if language == "es" else folded
    for pattern, letters in _SOUNDS[language]:
        sound = pattern.sub(letters, sound)
    return sound


@cache
def dictionary(language: str) -> Dictionary:
    """From `data/words-<language>.json`, which `benchmarks/known_words.py` makes; 0.2 s the first time."""
    listed = json_file(_DATA / f"words-{language}.json")["words"]
    by_frequency = sorted(((float(zipf), words.split()) for zipf, words in listed.items()), reverse=True)
    spelling: dict[str, str] = {}
    frequencies: dict[str, float] = {}
    for zipf, words in by_frequency:
        for word in words:
            spelling.setdefault(bare(word), word)
            frequencies.setdefault(bare(word), zipf)
    by_sound: dict[str, str] = {}
    by_length: dict[int, list[str]] = {}
    for folded, zipf in frequencies.items():
        if zipf >= _COMMON:
            by_sound.setdefault(_sound(folded, language), folded)
            by_length.setdefault(len(folded), []).append(folded)
    return Dictionary(spelling, frequencies, by_sound, by_length)
