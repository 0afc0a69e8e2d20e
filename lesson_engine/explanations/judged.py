"""A judged answer and what its verdict found, whatever version of the grader found it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lesson_engine.contracts import Ask, Step, Verdict
from lesson_engine.grading.lexicon import base
from lesson_engine.grading.normalise import fold, read_authored
from lesson_engine.grading.stems import stem

_WORD = re.compile(r"[^\W_]+")
TRICKS = frozenset({"no_statement", "alternatives", "echo", "order", "about_answer", "too_long"})
"""Rules for replies that do something else than answer, whatever words are in them."""


@dataclass(frozen=True)
class Judged:
    """An answer, its verdict, and what its learner has before them.

    `language` is the lesson's. `said` is the answer as it was written; empty where it is not at hand, or erased.
    `hints` are those shown, `readings` what can be read again beside the question.
    """

    ask: Ask
    verdict: Verdict
    language: str
    said: str = ""
    hints: tuple[str, ...] = ()
    readings: tuple[Step, ...] = ()

    @property
    def code(self) -> str:
        """The language for the grader's tools, such as `es` for `es-MX`."""
        return base(self.language)

    @property
    def in_words(self) -> bool:
        """Whether the answer is judged by its meaning."""
        return self.ask.answer.kind in ("open", "definition")

    @property
    def reason(self) -> str:
        """The last part of the rule's name."""
        return self.verdict.rule.rsplit(".", 1)[-1]

    def own(self, name: str) -> tuple[str, ...]:
        """The learner's words at this name of the details, spelt as the learner did where that is known."""
        return tuple(dict.fromkeys(as_written(words, self.said) for words in _texts(self.verdict.details.get(name))))

    def authored(self, name: str) -> tuple[str, ...]:
        """The author's words at this name of the details."""
        return tuple(dict.fromkeys(_texts(self.verdict.details.get(name))))

    def number(self, name: str) -> int:
        """A count at this name of the details; 0 where there is none."""
        value = self.verdict.details.get(name)
        return value if isinstance(value, int) else 0

    def figure(self, name: str) -> float | None:
        """A share or likeness at this name of the details."""
        value = self.verdict.details.get(name)
        return float(value) if isinstance(value, int | float) else None

    @property
    def reference(self) -> int:
        """Place of the accepted answer that is nearest to this one; -1 where none is told."""
        value = self.verdict.details.get("reference")
        count = len(getattr(self.ask.answer, "accepted", ()))
        return value if isinstance(value, int) and 0 <= value < count else -1

    @property
    def ideas(self) -> Sequence[Sequence[str]]:
        """The ideas that the author expects, each as the words for it."""
        groups: Sequence[Sequence[str]] = getattr(self.ask.answer, "keyword_groups", ())
        return groups

    @property
    def missing_ideas(self) -> list[Sequence[str]]:
        """Those of them that the answer lacks; one that it names and denies is there, though the wrong way round."""
        missing = self.authored("missing_ideas")
        denied = {stem(word, self.code) for words in self.authored("denied") for word in fold(words).split()}
        return [idea for idea in self.ideas if idea[0] in missing and denied.isdisjoint(stems_of(idea, self.code))]

    @property
    def is_trick(self) -> bool:
        """Whether the reply does something else than answer."""
        return self.reason in TRICKS

    @property
    def contradicts(self) -> bool:
        """Whether there are words that speak against the right answer."""
        return bool(self.authored("denied") or self.authored("opposite"))


def as_written(words: str, said: str) -> str:
    """Folded words ("anos") as they stand in what was said ("años"); as they are where they do not stand there."""
    wanted = words.split()
    typed = [(match.start(), match.end(), fold(match.group())) for match in _WORD.finditer(said)]
    for at in range(len(typed) - len(wanted) + 1):
        if wanted and [word for _, _, word in typed[at : at + len(wanted)]] == wanted:
            return said[typed[at][0] : typed[at + len(wanted) - 1][1]]
    return words


def stems_of(idea: Sequence[str], language: str) -> set[str]:
    """Stems of the words for an idea, as far as they are single words."""
    phrases = (read_authored(word, language) for word in idea)
    return {phrase.stems[0] for phrase in phrases if len(phrase.words) == 1}


def _texts(value: Any) -> list[str]:
    """Texts of a detail: it may be one, several, or nothing, by the version of the grader."""
    found = value if isinstance(value, list | tuple) else [value]
    return [text for text in found if isinstance(text, str) and text.strip()]
