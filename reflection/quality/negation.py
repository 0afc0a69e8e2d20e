"""Whether an indicator is denied: "not because", "without any strategy", "no fue porque". Source: "Settled", 4.

The scope is bounded: the words before an indicator, back to the end of the clause, are taken off phrase by phrase; only
words that may come between a negator and its object are passed over. "The price did not fit because" denies nothing
of the cause. An even number of negators denies nothing either ("not without a strategy"), "not only" is none, and
Spanish negators that belong together ("no ... ninguna") count once. The phrases are in `data/negation.json`.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Any, Final, Literal

from reflection.quality.words import data_read, folded_line, pattern_read

Language = Literal["en", "es"]
_NO_PHRASES: Final = frozenset({"negators", "gerunds", "after", "avoided"})
_BEFORE, _AFTER, _LABEL = 140, 60, 20
_STEPS, _LONGEST = 12, 5
_UNKNOWN, _UNKNOWN_ANY = 2, 4
"""Words that no list knows between a negator and what it denies: "no clear booking strategy", "did not see any ..."."""
_TOKEN: Final = re.compile(r"[^\W_]+(?:'[^\W_]+)?|[.,;:!?()\[\]{}\"“”—–…\n]")
_MARK: Final = re.compile(r"\W")
_SHORT: Final = re.compile(r"\b(ca|did|do|does|is|are|was|were|has|have|had|could|would|should|wo|must)n['’]?t\b")
_NEXT: Final = re.compile(r"[\w'’-]*[ \t]*(\W|\w+|$)")


class Kind(StrEnum):
    """The part of speech of an indicator, which decides how it can be denied."""

    CONNECTOR = "connector"  # because
    VERB = "verb"  # overlooked
    NOUN = "noun"  # strategy: "not the right strategy" denies that it is right, not that it is one
    FLAW = "flaw"  # incorrect assumption, contradictory
    COMMAND = "command"  # change ... to


@dataclass(frozen=True)
class _Grammar:
    """The kinds of phrases of one language. `negators` map to how they count and to their form."""

    kinds: dict[tuple[str, ...], frozenset[str]]
    negators: dict[tuple[str, ...], tuple[str, str]]
    gerunds: tuple[str, ...]
    after: re.Pattern[str]
    avoided: re.Pattern[str]
    indicators: frozenset[str]


@dataclass
class _Passed:
    """The words passed over between the indicator and the next ones, going back. `inside`: still within the phrase of
    the indicator's noun.
    """

    inside: bool
    unknown: int = 0
    definite: bool = False
    tied: bool = False
    caused: bool = False
    loose: bool = False
    last: str = ""


_DETERMINERS: Final = frozenset({"definite", "indefinite", "any"})
_PASSED: Final = {
    Kind.CONNECTOR: frozenset({"adverbs", "links"}),
    Kind.VERB: frozenset({"adverbs", "links", "passives", "auxiliaries", "subjects"}),
    Kind.NOUN: frozenset({"adverbs", "links", "causes", "haves"}),
    Kind.FLAW: frozenset({"adverbs", "links", "causes", "haves"}),
    Kind.COMMAND: frozenset({"adverbs", "commands"}),
}
_PASSED_LATER: Final = frozenset({"adverbs", "links", "haves"})
"""After a first negator, on the way to a second."""


def is_denied(text: str, start: int, end: int, kind: Kind, language: Language) -> bool:
    """Whether the indicator at this place of a lower-case text is denied. Looks no further than its clause."""
    grammar = _grammar(language)
    following = _unshortened(text[end : end + _AFTER])
    if kind in (Kind.NOUN, Kind.FLAW) and grammar.after.match(following):
        return True
    if kind is Kind.COMMAND and grammar.avoided.search(text[max(0, start - _LABEL) : start]):
        return True
    return _Walk(grammar, kind, _ends(grammar, following)).denies(_words(text[max(0, start - _BEFORE) : start]))


class _Walk:
    """Goes back through the words before an indicator and counts what denies it."""

    def __init__(self, grammar: _Grammar, kind: Kind, ends: bool) -> None:
        self._grammar, self._kind, self._ends = grammar, kind, ends
        self._each, self._once, self._alone = 0, 0, 0
        self._is_noun = kind in (Kind.NOUN, Kind.FLAW)
        self._passed = _Passed(inside=self._is_noun)

    def denies(self, words: list[str]) -> bool:
        for _ in range(_STEPS):
            length = self._step(words)
            if not length:
                break
            del words[-length:]
        counted = self._each + self._once
        return counted % 2 == 1 if counted else self._alone > 0

    def _step(self, words: list[str]) -> int:
        """How many words are passed over; 0 where the scope ends."""
        for length in range(min(_LONGEST, len(words)), 0, -1):
            phrase = tuple(words[-length:])
            kinds = self._grammar.kinds.get(phrase, frozenset())
            if "no negation" in kinds or "stops" in kinds:
                return 0
            if phrase in self._grammar.negators:
                return length if self._negator(phrase) else 0
            if kinds and self._passes(kinds, words):
                return length
        return 1 if words and self._unknown(words) else 0

    def _negator(self, phrase: tuple[str, ...]) -> bool:
        counts, form = self._grammar.negators[phrase]
        if form == "subject" and (self._kind is Kind.CONNECTOR or self._passed.caused):
            return False  # "it found nothing because"
        if form == "plain" and not self._counted and not self._reached():
            return False
        if form == "without" and self._passed.unknown and self._passed.last.endswith(self._grammar.gerunds):
            return False  # "without checking strategy": there may be one
        self._each += counts == "each"
        self._once = max(self._once, int(counts == "once"))
        self._alone += counts == "alone"
        self._passed.inside, self._passed.unknown = False, 0
        return True

    @property
    def _counted(self) -> int:
        return self._each + self._once + self._alone

    def _reached(self) -> bool:
        """Whether a "not" before what was passed over speaks of the indicator itself."""
        if not self._is_noun:
            return not self._passed.unknown
        if self._passed.loose or self._passed.tied:
            return True
        return not self._passed.unknown and (self._kind is Kind.FLAW or self._ends)

    def _passes(self, kinds: frozenset[str], words: list[str]) -> bool:
        passed = self._passed
        if passed.inside and self._is_noun and kinds & _DETERMINERS:
            passed.inside = passed.loose = "any" in kinds
            passed.definite = "definite" in kinds
            return True
        if kinds & {"or", "and"}:
            return passed.inside and ("or" in kinds or self._lists(words))
        if not kinds & (_PASSED_LATER if self._counted else _PASSED[self._kind]):
            return False
        if "haves" in kinds and "links" not in kinds and passed.definite and not self._counted:
            return False  # "did not follow the strategy": there was one
        passed.caused = passed.caused or "causes" in kinds
        passed.tied = passed.tied or bool(kinds & {"causes", "haves"})
        passed.inside = passed.inside or (self._kind is Kind.VERB and "passives" in kinds)
        return True

    def _lists(self, words: list[str]) -> bool:
        """Whether the joined word is an indicator too: "no strategy, approach or methodology"."""
        return len(words) > 1 and words[-2] in self._grammar.indicators

    def _unknown(self, words: list[str]) -> bool:
        """Whether an unlisted word is passed over: an adjective, or the noun of a passive."""
        word, passed = words[-1], self._passed
        if word == ",":
            return passed.inside and self._lists(words)
        if _MARK.match(word):
            return False
        if word in self._grammar.indicators and self._is_noun:
            passed.inside = True
            return True
        if not passed.inside or passed.unknown >= (_UNKNOWN_ANY if passed.loose else _UNKNOWN):
            return False
        passed.unknown, passed.last = passed.unknown + 1, word
        return True


def _words(before: str) -> list[str]:
    """The words of the window; the first may be half of one."""
    words = _TOKEN.findall(_unshortened(before))
    return words[1:] if len(before) == _BEFORE else words


def _unshortened(text: str) -> str:
    """The text with "did not" for "didn't"."""
    if "n" not in text:
        return text
    return _SHORT.sub(lambda match: {"ca": "can", "wo": "will"}.get(match[1], match[1]) + " not", text)


def _ends(grammar: _Grammar, following: str) -> bool:
    """Whether the indicator ends its phrase: "not the strategy, but" and not "not the strategy to follow"."""
    match = _NEXT.match(following)
    word = match[1].strip() if match else ""
    if not word or not word[0].isalnum() or (word,) in grammar.negators:
        return True
    return bool(grammar.kinds.get((word,), frozenset()) & {"stops", "or", "and"})


@cache
def _grammar(language: Language) -> _Grammar:
    data: dict[str, Any] = data_read("negation.json")[language]
    kinds: dict[tuple[str, ...], frozenset[str]] = {}
    for name, phrases in data.items():
        for phrase in phrases if name not in _NO_PHRASES else ():
            key = tuple(folded_line(phrase).split())
            kinds[key] = kinds.get(key, frozenset()) | {name}
    negators = {
        tuple(folded_line(phrase).split()): (row["counts"], row["form"])
        for row in data["negators"]
        for phrase in row["words"]
    }
    last = frozenset(
        form.split()[-1]
        for level, rows in data_read("indicators.json")[language].items()
        for row in rows
        if level != "surface" and row["kind"] in (Kind.NOUN, Kind.FLAW)
        for form in row["forms"]
    )
    after, avoided = (pattern_read("negation.json", data[name]) for name in ("after", "avoided"))
    return _Grammar(kinds, negators, tuple(data["gerunds"]), after, avoided, last)
