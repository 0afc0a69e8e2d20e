"""Answers to a question that staff judged: which of them says the same as a reply, and how a verdict names them all."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from lesson_engine.contracts import LabelledAnswer, Verdict, VerdictResult

from .andamio_3.stems import stem
from .lexicon import lexicon
from .normalise import Phrase, read
from .verdicts import GRADER_VERSION

_SIGNS: Final = frozenset("<>≤≥≠=*×·÷/+-−")
_PAST: Final = ("io", "ia", "ian")
"""Endings of Spanish verbs that stems leave on: they would make one word of many others."""
_SCORES: Final = {VerdictResult.ACCEPT: 1.0, VerdictResult.PARTIAL: 0.5, VerdictResult.REJECT: 0.0}


def examples_digest(examples: Sequence[LabelledAnswer]) -> str:
    """16 hexadecimal digits of the examples' ids, texts and results; the same in whatever order they come."""
    rows = sorted((example.id, example.text, example.result.value) for example in examples)
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def examples_details(examples: Sequence[LabelledAnswer]) -> dict[str, Any]:
    """What a verdict's details say of the examples that were looked at. Never a word of them: they are other people's.

    Empty without examples.
    """
    if not examples:
        return {}
    return {"examples": [example.id for example in examples], "examples_digest": examples_digest(examples)}


def example_verdict(kind: str, text: str, examples: Sequence[LabelledAnswer], language: str) -> Verdict | None:
    """The verdict that staff gave on the same answer; the last one where they gave several. None where they gave none.

    `kind` is the question's; `examples` come in the order in which staff decided.
    """
    same = [example for example in examples if is_same_answer(example.text, text, language)]
    if not same:
        return None
    result = same[-1].result
    score = _SCORES.get(result, 0.0)
    return Verdict(result=result, rule=f"{kind}.example", score=score, grader=GRADER_VERSION, provenance="example")


def is_same_answer(text: str, other: str, language: str) -> bool:
    """Whether two answers are the same but for case, accents, articles and punctuation. Signs must be equal."""
    return _normal(text, language) == _normal(other, language) != ("", ())


def is_turned(text: str, other: str, language: str) -> bool:
    """Whether one of two answers may say the contrary of the other, though they share most words.

    One denies something and the other does not; they name different numbers; one has a word where the other has its
    opposite; or the words that both have come in another order, as in "hens eat foxes". The last may be harmless.
    Vectors hardly tell such answers apart.
    """
    one, two = read(text, language), read(other, language)
    if _turning(one, language) != _turning(two, language):
        return True
    mine, theirs = _telling_stems(one, language), _telling_stems(two, language)
    return _have_opposites(mine, theirs, language) or _order_differs(mine, theirs)


def _turning(phrase: Phrase, language: str) -> tuple[int, list[str]]:
    negations = lexicon(language).negations
    return sum(word in negations for word in phrase.words) % 2, sorted(w for w in phrase.words if w[-1].isdigit())


def _telling_stems(phrase: Phrase, language: str) -> list[str]:
    """Of its content words, in order, and of words that have opposites: "more" is a function word."""
    small, opposites = lexicon(language).stopwords, _opposites(language)
    stems = ((word, _compared(word, language)) for word in phrase.words)
    return [stemmed for word, stemmed in stems if word not in small or stemmed in opposites]


@lru_cache(maxsize=4096)
def _compared(word: str, language: str) -> str:
    """What a word is compared by: its stem, and for "subió" and "subía" that of the short verb with an opposite."""
    found, opposites = stem(word, language), _opposites(language)
    endings = (*lexicon(language).endings, *_PAST)
    forms = (known for known in opposites if len(known) > 2 and word.startswith(known))
    return found if found in opposites else next((known for known in forms if word[len(known) :] in endings), found)


@lru_cache(maxsize=8)
def _opposites(language: str) -> dict[str, frozenset[str]]:
    """The stems of the opposites of a word, by its own."""
    found = defaultdict[str, set[str]](set)
    for pair in lexicon(language).antonyms:
        left, right = (stem(word, language) for word in pair)
        found[left].add(right)
        found[right].add(left)
    return {word: frozenset(opposites) for word, opposites in found.items()}


def _have_opposites(mine: list[str], theirs: list[str], language: str) -> bool:
    """Whether one has more of a word, and the other more of its opposite."""
    opposites, only_mine, only_theirs = _opposites(language), Counter(mine), Counter(theirs)
    only_mine, only_theirs = only_mine - only_theirs, only_theirs - only_mine
    return any(not opposites.get(word, frozenset()).isdisjoint(only_theirs) for word in only_mine)


def _order_differs(mine: list[str], theirs: list[str]) -> bool:
    """Of the words that both have as often."""
    counted, other = Counter(mine), Counter(theirs)
    shared = {word for word, count in counted.items() if other[word] == count}
    return [word for word in mine if word in shared] != [word for word in theirs if word in shared]


def _normal(text: str, language: str) -> tuple[str, tuple[str, ...]]:
    phrase = read(text, language)
    return phrase.key, tuple(char for char in phrase.text if char in _SIGNS)
