"""Whether a typed word stands for a word of the lesson: same stem, or one slip of the keyboard."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lesson_engine.contracts import (
    Ask,
    ChoiceAnswer,
    DefinitionAnswer,
    ListAnswer,
    MultiChoiceAnswer,
    OpenAnswer,
    ProcedureAnswer,
)

from .lexicon import lexicon
from .normalise import read_authored, tokens
from .stems import stem

MIN_TYPO_LETTERS = 5


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

    def asked(self, word: str) -> bool:
        """Whether a word only repeats the question."""
        return stem(word, self.language) in self.question

    def same(self, typed: str, target: str) -> bool:
        """Both folded. "absorve" is "absorbe", but "mitosis" is not "meiosis" where the lesson knows both."""
        if typed == target:
            return True
        typed_stem, target_stem = stem(typed, self.language), stem(target, self.language)
        if typed_stem == target_stem:
            return True
        if not self.may_be_slip(typed):
            return False
        return _is_slip(typed, target) or _is_slip(typed_stem, target_stem)

    def may_be_slip(self, typed: str) -> bool:
        """Whether a typed word is none that the lesson uses."""
        return typed not in self.known and stem(typed, self.language) not in self.known

    def find(self, wanted: Sequence[str], typed: Sequence[str], taken: Iterable[int] = ()) -> int | None:
        """Where the words of `wanted` stand one after the other in `typed`, outside the places in `taken`."""
        blocked = set(taken)
        if not wanted:
            return None
        for start in range(len(typed) - len(wanted) + 1):
            places = range(start, start + len(wanted))
            if blocked.isdisjoint(places) and all(
                self.same(typed[at], word) for at, word in zip(places, wanted, strict=True)
            ):
                return start
        return None

    def any(self, target: str, typed: Iterable[str]) -> bool:
        """Whether one of the typed words stands for `target`."""
        return any(self.same(word, target) for word in typed)


@lru_cache(maxsize=512)
def matcher(ask: Ask, language: str) -> Matcher:
    """The matcher of an ASK."""
    words = {word for text in _texts(ask) for word in tokens(text) if word != "|"}
    data = lexicon(language)
    words |= {word for pair in data.antonyms for word in pair} | data.stopwords | data.verbs
    answers = [text for text in _answers(ask) if text]
    return Matcher(
        language=language,
        known=frozenset(words | {stem(word, language) for word in words}),
        question=frozenset(read_authored(ask.question, language).stems),
        keys=frozenset(read_authored(text, language).key for text in answers),
    )


def _texts(ask: Ask) -> list[str]:
    return [ask.question, *(example for wrong in ask.misconceptions for example in wrong.examples), *_answers(ask)]


def _answers(ask: Ask) -> list[str]:
    texts: list[str] = []
    match ask.answer:
        case OpenAnswer() | DefinitionAnswer() as answer:
            texts += [*answer.accepted, *(word for group in answer.keyword_groups for word in group)]
        case ListAnswer(items=groups) | ProcedureAnswer(steps=groups):
            texts += [word for group in groups for word in group]
        case ChoiceAnswer(choices=choices) | MultiChoiceAnswer(choices=choices):
            texts += [text for choice in choices for text in (choice.code, choice.text)]
    return texts


def _is_slip(typed: str, target: str) -> bool:
    long_enough = len(typed) >= MIN_TYPO_LETTERS - 1 and len(target) >= MIN_TYPO_LETTERS
    return long_enough and typed.isalpha() and target.isalpha() and one_edit_apart(typed, target)


def one_edit_apart(first: str, second: str) -> bool:
    """Whether one letter put in, left out, changed or swapped with its neighbour makes one word of the other."""
    if abs(len(first) - len(second)) > 1:
        return False
    pairs = enumerate(zip(first, second, strict=False))
    at = next((at for at, (a, b) in pairs if a != b), min(len(first), len(second)))
    rest, other = first[at:], second[at:]
    if len(rest) != len(other):
        return rest[1:] == other if len(rest) > len(other) else other[1:] == rest
    if rest[1:] == other[1:]:
        return True
    return len(rest) > 1 and rest[:2] == other[1::-1] and rest[2:] == other[2:]
