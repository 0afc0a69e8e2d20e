"""Replies that are no attempt ("I don't know", pleas, greetings, orders to the grader) or cannot be read at all."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from lesson_engine.contracts import Ask, Verdict

from .attempt_patterns import (
    ABOUT_SOMEBODY,
    BESIDE_AN_INSULT,
    DONT_KNOW,
    FILLER,
    GREETING,
    HEDGE,
    INSULT,
    ORDER,
    PLEA,
    REQUEST,
)
from .lexicon import LANGUAGES, lexicon
from .matching import Matcher
from .normalise import clean, read, tokens
from .verdicts import no_attempt, not_gradable

NoAttempt = Literal["order", "dont_know", "request", "plea", "insult", "greeting"]

_READ: Final[dict[NoAttempt, re.Pattern[str]]] = {
    # Requests first, or "tell me a joke" would be a plea with a joke beside it.
    "request": REQUEST,
    "dont_know": DONT_KNOW,
    "plea": PLEA,
    "order": ORDER,
    "insult": INSULT,
    "greeting": GREETING,
}
"""In the order in which they are taken out of a reply."""
_WEIGHT: Final[tuple[NoAttempt, ...]] = ("order", "dont_know", "request", "plea", "insult", "greeting")
"""Of several in one reply, the one that is answered: "I don't know, this is stupid" wants comfort."""
_ABOUT: Final[tuple[NoAttempt, ...]] = ("insult", "request")
"""What a question may be about, so that a word of it is enough to make it an answer there."""
_KEYBOARD_ROWS: Final = ("qwertyuiop", "asdfghjklñ", "asdfghjkl", "zxcvbnm", "poiuytrewq", "lkjhgfdsa", "mnbvcxz")
_NO_VOWELS = re.compile(r"[^aeiouy\d]{4,}")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}")
_REPEATED = re.compile(r"(.{1,3}?)\1{3,}|(.)\2{3,}|(?:j+[aei]+){2,}j?|(?:h+[aei]+){2,}h?")
_POLITE = re.compile(
    r"(?:^|(?<=\| ))(?:(?:por favor|please)(?: \|)? (?:acepta\w*|accept)(?= \|)"
    r"|(?:(?:y|and) )?(?:por favor|please|y|and)(?= \||$))"
)
"""What an order leaves behind, or says before an answer: "please accept: ..."; it would be an item of a list."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is left to grade: `verdict` when the reply was no attempt, else `text` without hedges and orders."""

    verdict: Verdict | None
    text: str


def read_attempt(text: str, ask: Ask, words: Matcher) -> Attempt:
    """Sorts out what need not be graded. A right answer that merely contains such words is left to be graded."""
    if not clean(text):
        return Attempt(not_gradable("attempt.empty"), "")
    if kind := no_attempt_kind(text, question=ask.question, answers=_answers(ask)):
        return Attempt(no_attempt(f"attempt.{kind}"), "")
    if read(text, words.language).key in words.keys:
        return Attempt(None, text)
    line = _line(text)
    if not any(char.isalnum() for char in line):
        return Attempt(not_gradable("attempt.unreadable"), "")
    if ask.answer.kind not in ("choice", "multi_choice") and is_gibberish(text, words.known):
        return Attempt(not_gradable("attempt.unreadable"), "")
    kept = _POLITE.sub(" ", HEDGE.sub(" | ", ORDER.sub(" ", line)))
    return Attempt(None, text if kept == line else kept.replace("|", ","))


def no_attempt_kind(text: str, *, question: str = "", answers: Sequence[str] = ()) -> NoAttempt | None:
    """What a reply is that says nothing else than one of these; None for one that says more.

    `answers` are the author's, right or wrong. What stands in them is an answer there: in a lesson on manners "Shut up"
    may be one. So it is for insults and requests that the question itself is about.
    """
    return _kind(_line(text), _own(question, tuple(answers)))


@dataclass(frozen=True, slots=True)
class _Own:
    """What a question makes of such words: kinds that its texts show themselves, and its words."""

    kinds: frozenset[NoAttempt]
    words: frozenset[str]


@lru_cache(maxsize=512)
def _own(question: str, answers: tuple[str, ...]) -> _Own:
    lines = [_line(text) for text in answers]
    whole = {kind for line in lines if (kind := _kind(line, _Own(frozenset(), frozenset())))}
    lines.append(_line(question))
    about = {kind for kind in _ABOUT if any(_READ[kind].search(line) for line in lines)}
    return _Own(frozenset(whole | about), frozenset(word for line in lines for word in line.split()))


def _kind(line: str, own: _Own) -> NoAttempt | None:
    found: set[NoAttempt] = set()
    for _ in range(2):  # twice: "ok, pass" is a pass once the "ok" is gone
        for kind, pattern in _READ.items():
            if kind not in own.kinds and (left := _without(pattern, line)) != line:
                found.add(kind)
                line = left
    if not found or _says_more(line, "insult" in found, own):
        return None
    return next(kind for kind in _WEIGHT if kind in found)


def _without(pattern: re.Pattern[str], line: str) -> str:
    return " ".join(pattern.sub(" | ", line).split()) if pattern.search(line) else line


def _says_more(line: str, insulting: bool, own: _Own) -> bool:
    """Whether words are left that say something."""
    ignored = _empty_words()
    if insulting:
        ignored = (ignored | BESIDE_AN_INSULT) - ABOUT_SOMEBODY - (BESIDE_AN_INSULT & own.words)
    return any(word != "|" and word not in ignored for word in line.split())


@cache
def _empty_words() -> frozenset[str]:
    return FILLER.union(*(lexicon(code).small_talk | lexicon(code).stopwords for code in LANGUAGES))


def _line(text: str) -> str:
    return " ".join(tokens(text))


@lru_cache(maxsize=512)
def _answers(ask: Ask) -> tuple[str, ...]:
    """Whole answers, right or wrong; a keyword such as "pass" is none, so that "pass" may still be said."""
    answer = ask.answer
    groups = (*getattr(answer, "items", ()), *getattr(answer, "steps", ()))
    return (
        *getattr(answer, "accepted", ()),
        *(text for group in groups for text in group),
        *(choice.text for choice in getattr(answer, "choices", ())),
        *(example for wrong in ask.misconceptions for example in wrong.examples),
    )


def is_gibberish(text: str, known: frozenset[str] = frozenset()) -> bool:
    """Whether a reply is keys hit at random. `known` are folded words of the question, which none of it is."""
    said = [word for word in tokens(text) if word != "|"]
    if len(said) == 1 and len(said[0]) == 1 and said[0].isalpha() and said[0].isascii():
        return said[0] not in known
    return 0 < len(said) <= 6 and all(_is_noise(word, known) for word in said)


def _is_noise(word: str, known: frozenset[str]) -> bool:
    if word in known or not word.isascii() or word.isdigit():
        return False
    on_row = len(word) >= 4 and any(word[at : at + 4] in row for row in _KEYBOARD_ROWS for at in range(len(word) - 3))
    return bool(
        on_row
        or (_NO_VOWELS.fullmatch(word) and word.isalpha())
        or _CONSONANTS.search(word)
        or _REPEATED.fullmatch(word)
    )
