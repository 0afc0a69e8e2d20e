"""Whether a typed word is taken for a word of the lesson: same stem, same number, or one slip of the keyboard.

A slip never makes a known word. Known are the words of the ASK, those of its lesson where it is given, and those of the
language (`slips`). Only another form of the same word ("arose" for "arise") may still be a slip where the ASK lacks it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from itertools import combinations

from lesson_engine.contracts import (
    Ask,
    ChoiceAnswer,
    DefinitionAnswer,
    ListAnswer,
    MultiChoiceAnswer,
    OpenAnswer,
    ProcedureAnswer,
)

from .andamio_3.stems import stem
from .lexicon import lexicon
from .mathtext import plain_signs
from .normalise import Phrase, read_authored, tokens
from .numbers import token_values
from .slips import are_forms, is_slip, is_variant, is_word, one_edit_apart

__all__ = ["Matcher", "matcher", "one_edit_apart"]


class _Likeness(Enum):
    """How two different words of a language are alike, whatever the lesson knows."""

    NONE = 0
    ONE_WORD = 1
    ONE_NUMBER = 2
    FORMS = 3
    """Different forms of one word, one edit apart."""
    SLIP = 4


@dataclass(frozen=True, slots=True)
class Matcher:
    """Word matching within one ASK, whose own words are never taken for a slip of another one."""

    language: str
    known: frozenset[str]
    """Folded words of the ASK, and their stems."""
    keys: frozenset[str] = frozenset()
    """The normalised form of every text an answer may equal."""

    question: frozenset[str] = frozenset()
    """Stems of the question."""

    vocabulary: frozenset[str] = frozenset()
    """Folded words of the whole lesson, and their stems."""
    told_apart: frozenset[Fraction] = frozenset()
    """Numbers that the ASK writes in ways that are not the same to it: "4/6" beside "6/9", or to be simplified."""

    def in_question(self, word: str) -> bool:
        """Whether a word only repeats the question."""
        return stem(word, self.language) in self.question

    def same(self, typed: str, target: str) -> bool:
        """Both folded. "absorve" is "absorbe", but "mitosis" is not "meiosis" where the lesson knows both."""
        if typed == target:
            return True
        likeness = _likeness(typed, target, self.language)
        if likeness is _Likeness.NONE:
            return False
        if likeness is _Likeness.ONE_WORD:
            return True
        if likeness is _Likeness.ONE_NUMBER:
            return self.told_apart.isdisjoint(token_values(typed))
        if self._among(self.known, typed):
            return False
        return likeness is _Likeness.FORMS or not self._among(self.vocabulary, typed)

    def _among(self, words: frozenset[str], typed: str) -> bool:
        return typed in words or stem(typed, self.language) in words

    def find(self, wanted: Sequence[str], typed: Sequence[str], taken: Iterable[int] = ()) -> int | None:
        """Where `typed` has the words of `wanted` one after the other, outside the places in `taken`."""
        if not wanted:
            return None
        blocked, (first, *others) = set(taken), wanted
        for start in range(len(typed) - len(others)):
            if (
                self.same(typed[start], first)
                and all(self.same(typed[at], word) for at, word in enumerate(others, start + 1))
                and blocked.isdisjoint(range(start, start + len(wanted)))
            ):
                return start
        return None

    def same_words(self, typed: Sequence[str], wanted: Sequence[str]) -> bool:
        """Whether two texts of a word or more are equal word for word but for slips."""
        return len(typed) == len(wanted) and self.find(wanted, typed) == 0

    def says_the_same(self, typed: Phrase, target: Phrase) -> bool:
        """Whether two texts are equal but for slips and what a key leaves out."""
        return typed.key == target.key or self.same_words(typed.key.split(), target.key.split())

    def any(self, target: str, typed: Iterable[str]) -> bool:
        """Whether one of the typed words is taken for `target`."""
        return any(self.same(word, target) for word in typed)


@lru_cache(maxsize=65_536)
def _likeness(typed: str, target: str, language: str) -> _Likeness:
    if typed[:1].isdigit() or typed[:1] in "-.":
        equal = set(token_values(typed)) & set(token_values(target))
        return _Likeness.ONE_NUMBER if equal else _Likeness.NONE
    typed_stem, target_stem = stem(typed, language), stem(target, language)
    if typed_stem == target_stem or is_variant(typed, target, language):
        return _Likeness.ONE_WORD
    near = is_slip(typed, target)
    if not near and (is_word(typed_stem, language) or not is_slip(typed_stem, target_stem)):
        return _Likeness.NONE
    if not is_word(typed, language):
        return _Likeness.SLIP
    return _Likeness.FORMS if near and are_forms(typed, target, language) else _Likeness.NONE


@lru_cache(maxsize=512)
def matcher(ask: Ask, language: str, vocabulary: frozenset[str] = frozenset()) -> Matcher:
    """The matcher of an ASK; `vocabulary` is that of its lesson (see `lesson_vocabulary`)."""
    answers = [text for text in _answers(ask) if text]
    words = {word for text in (ask.question, *_wrong(ask), *answers) for word in tokens(text) if word != "|"}
    data = lexicon(language)
    words |= {word for pair in data.antonyms for word in pair} | data.stopwords | data.verbs
    return Matcher(
        language=language,
        known=frozenset(words | {stem(word, language) for word in words}),
        question=frozenset(read_authored(ask.question, language).stems),
        keys=frozenset(read_authored(text, language).key for text in answers),
        vocabulary=vocabulary,
        told_apart=_told_apart(ask),
    )


def _told_apart(ask: Ask) -> frozenset[Fraction]:
    """Values that the answers write in another way than the question, or two of the groups in none that both have."""
    asked, *groups = (_numerals(group) for group in _groups(ask))
    ways: dict[Fraction, list[set[str]]] = {}
    for group in groups:
        for value, numerals in group.items():
            ways.setdefault(value, []).append(numerals)
    return frozenset(
        value
        for value, written in ways.items()
        if any(first.isdisjoint(second) for first, second in combinations(written, 2))
        or (value in asked and not asked[value].issuperset(set[str]().union(*written)))
    )


def _numerals(texts: Iterable[str]) -> dict[Fraction, set[str]]:
    """How the texts write their numbers."""
    numerals: dict[Fraction, set[str]] = {}
    for token in {token for text in texts for token in tokens(plain_signs(text))}:
        for value in token_values(token):
            numerals.setdefault(value, set()).add(token)
    return numerals


def _groups(ask: Ask) -> list[Sequence[str]]:
    """The question and the texts about it; those of one group are ways to say one thing."""
    match ask.answer:
        case ListAnswer(items=groups) | ProcedureAnswer(steps=groups):
            answers: list[Sequence[str]] = [*groups]
        case ChoiceAnswer(choices=choices) | MultiChoiceAnswer(choices=choices):
            answers = [(choice.text,) for choice in choices]
        case _:
            answers = [_answers(ask)]
    return [(ask.question,), *answers, _wrong(ask)]


def _wrong(ask: Ask) -> list[str]:
    return [example for wrong in ask.misconceptions for example in wrong.examples]


def _answers(ask: Ask) -> list[str]:
    match ask.answer:
        case (
            OpenAnswer(accepted=accepted, keyword_groups=groups)
            | DefinitionAnswer(accepted=accepted, keyword_groups=groups)
        ):
            return [*accepted, *(word for group in groups for word in group)]
        case ListAnswer(items=groups) | ProcedureAnswer(steps=groups):
            return [word for group in groups for word in group]
        case ChoiceAnswer(choices=choices) | MultiChoiceAnswer(choices=choices):
            return [text for choice in choices for text in (choice.code, choice.text)]
    return []
