"""Replies that are no attempt ("I don't know", pleas, greetings, orders to the grader) or cannot be read at all."""

import re
from dataclasses import dataclass
from typing import Final

from lesson_engine.contracts import Ask, Verdict

from .attempt_patterns import DONT_KNOW, GREETING, HEDGE, ORDER, PLEA
from .lexicon import LANGUAGES, lexicon
from .matching import Matcher
from .normalise import clean, read, tokens
from .verdicts import no_attempt, not_gradable

_KEYBOARD_ROWS: Final = ("qwertyuiop", "asdfghjklñ", "asdfghjkl", "zxcvbnm", "poiuytrewq", "lkjhgfdsa", "mnbvcxz")
_NO_VOWELS = re.compile(r"[^aeiouy\d]{4,}")
_CONSONANTS = re.compile(r"[bcdfghjklmnpqrstvwxz]{6,}")
_REPEATED = re.compile(r"(.{1,3}?)\1{3,}|(.)\2{3,}|(?:j+[aei]+){2,}j?|(?:h+[aei]+){2,}h?")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What is left to grade: `verdict` when the reply was no attempt, else `text` without hedges and orders."""

    verdict: Verdict | None
    text: str


def read_attempt(text: str, ask: Ask, words: Matcher) -> Attempt:
    """Sorts out what need not be graded. A right answer that merely contains such words is left to be graded."""
    if not clean(text):
        return Attempt(not_gradable("attempt.empty"), "")
    if read(text, words.language).key in words.keys:
        return Attempt(None, text)
    line = " ".join(tokens(text))
    if not any(char.isalnum() for char in line):
        return Attempt(not_gradable("attempt.unreadable"), "")
    for rule, pattern in (("dont_know", DONT_KNOW), ("plea", PLEA), ("plea", ORDER), ("greeting", GREETING)):
        if pattern.search(line) and not _says_more(line):
            return Attempt(no_attempt(f"attempt.{rule}"), "")
    if ask.answer.kind not in ("choice", "multi_choice") and _is_gibberish(line, words):
        return Attempt(not_gradable("attempt.unreadable"), "")
    kept = HEDGE.sub(" | ", ORDER.sub(" ", line))
    return Attempt(None, text if kept == line else kept.replace("|", ","))


def _says_more(line: str) -> bool:
    """Whether anything is said beside no-attempt phrases and small talk."""
    for pattern in (DONT_KNOW, PLEA, ORDER, GREETING):
        line = pattern.sub(" ", line)
    ignored = frozenset[str]().union(*(lexicon(code).small_talk | lexicon(code).stopwords for code in LANGUAGES))
    return any(word != "|" and word not in ignored for word in line.split())


def _is_gibberish(line: str, words: Matcher) -> bool:
    said = [word for word in line.split() if word != "|"]
    if len(said) == 1 and len(said[0]) == 1 and said[0].isalpha() and said[0].isascii():
        return said[0] not in words.known
    return len(said) <= 6 and all(_is_noise(word, words) for word in said)


def _is_noise(word: str, words: Matcher) -> bool:
    if word in words.known or not word.isascii() or word.isdigit():
        return False
    on_row = len(word) >= 4 and any(word[at : at + 4] in row for row in _KEYBOARD_ROWS for at in range(len(word) - 3))
    return bool(
        on_row
        or (_NO_VOWELS.fullmatch(word) and word.isalpha())
        or _CONSONANTS.search(word)
        or _REPEATED.fullmatch(word)
    )
