"""Makes `lesson_engine/grading/data/confusable-<language>.json`: words that are never taken for a slip of another.

    python -m pip install wordfreq pyspellchecker simplemma
    python -m benchmarks.confusable_words

A word is listed when it is common enough, a list that is free of misspellings has it, and one edit makes another word
of it. Spellings and forms of one word stand beside, so that "colour" is "color", and "arose" may still be a slip for
"arise".
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

import simplemma
import wordfreq
from spellchecker import SpellChecker

from lesson_engine.grading.andamio_3.fold import fold
from lesson_engine.grading.andamio_3.stems import stem
from lesson_engine.grading.slips import MIN_LETTERS, one_edit_apart

from .school_terms import school_terms
from .spelling_variants import variants

DATA = Path(__file__).parents[1] / "lesson_engine/grading/data"
COMMON = 2.0
"""Zipf frequency (one in ten million words) from which a word is common: below it, a slip is likelier than the word."""
KNOWN = 1.5
"""From which a word may be a lesson's."""
NAME = 3.0
"""From which a word that no list has may be a lesson's: names, mostly."""
LONGEST = 24
ABOUT = {
    "about": (
        "Folded words that are one edit away from another word (words), spellings of one word (variants) and forms of "
        "one word that are one edit apart (forms). Made by benchmarks/confusable_words.py."
    ),
    "licence": "CC BY-SA 4.0",
    "sources": (
        "wordfreq 3.1 by Robyn Speer (frequencies; CC BY-SA 4.0), pyspellchecker by Tyler Barrus (words; MIT), "
        "simplemma by Adrien Barbaresi (words and lemmas; MIT)"
    ),
}


Words = dict[str, set[str]]
"""Folded words, each with its spellings."""


def main() -> None:
    for language in ("en", "es"):
        typed, target = _words(language)
        spellings = variants(language, typed.keys() | target.keys())
        words, forms = _confusable(language, typed, target)
        told = {"words": words, "variants": [" ".join(pair) for pair in spellings], "forms": forms}
        path = DATA / f"confusable-{language}.json"
        path.write_text(json.dumps(ABOUT | told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        sizes = {
            "words": sum(line.count(" ") + 1 for line in words),
            "variants": len(told["variants"]),
            "forms": len(forms),
        }
        print(f"{path.name}: {sizes}, {path.stat().st_size} bytes")


def _words(language: str) -> tuple[Words, Words]:
    """Common words, and those that a lesson may use."""
    listed = set(SpellChecker(language=language).word_frequency.words())
    common, usable = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for word in {*listed, *wordfreq.top_n_list(language, 500_000)}:
        folded = fold(word).strip()
        if not (folded.isascii() and folded.isalpha() and MIN_LETTERS - 1 <= len(folded) <= LONGEST):
            continue
        frequency = wordfreq.zipf_frequency(word, language)
        lemmatised = simplemma.is_known(word, language)
        # Of Spanish forms simplemma knows more than the list; it takes "occured" for English.
        if frequency >= COMMON and (word in listed or (language == "es" and lemmatised)):
            common[folded].add(word)
        known = word in listed or lemmatised
        if len(folded) >= MIN_LETTERS and frequency >= (KNOWN if known else NAME):
            usable[folded].add(word)
    for term in school_terms(language):
        common[term].add(term)
        usable[term].add(term)
    return common, usable


def _confusable(language: str, typed: Words, target: Words) -> tuple[list[str], list[str]]:
    """The confusable words, a line for each pair of first letters, and the groups of forms, a line for each."""
    near = _Neighbours(target)
    lines, forms = defaultdict[str, list[str]](list), defaultdict[str, set[str]](set)
    for word in sorted(typed):
        others = [other for other in near.of(word) if stem(word, language) != stem(other, language)]
        lemmas = _lemmas(typed[word], language)
        kin = {other: lemmas & _lemmas(target[other], language) for other in others}
        if not all(kin.values()):
            lines[word[:2]].append(word)
            for other, shared in kin.items():
                for lemma in shared:
                    forms[lemma] |= {word, other}
    return [" ".join(words) for _, words in sorted(lines.items())], sorted(
        {" ".join(sorted(g)) for g in forms.values()}
    )


class _Neighbours:
    """Words that are one edit away, by what both are with one letter left out."""

    def __init__(self, words: Iterable[str]) -> None:
        self._by_gap = defaultdict[str, set[str]](set)
        for word in words:
            for gap in _gaps(word):
                self._by_gap[gap].add(word)

    def of(self, word: str) -> list[str]:
        found = set[str]().union(*(self._by_gap.get(gap, ()) for gap in _gaps(word)))
        return [other for other in sorted(found) if other != word and one_edit_apart(word, other)]


def _gaps(word: str) -> Iterator[str]:
    """A word with each of its letters left out, and the word: two words at one edit share one of these."""
    yield word
    for at in range(len(word)):
        yield word[:at] + word[at + 1 :]


def _lemmas(spellings: Iterable[str], language: str) -> set[str]:
    return {simplemma.lemmatize(word, language) for word in spellings}


if __name__ == "__main__":
    main()
