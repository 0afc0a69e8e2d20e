"""The words of a language, read once from `data/`.

A file has sections, `[kind]` or `[kind value]`, and under them phrases, one or several a line with ` | ` between them.
`value = phrase | phrase` gives the phrases of a line a value of their own. `#` begins a comment. docs/criteria.md lists
the kinds.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from language import Language
from language.number_words import cardinals
from language.word_lists import sections_of

from .tokens import Token, criterion_tokens, tidy

DATA: Final = Path(__file__).parent / "data"

KINDS: Final = frozenset(
    {
        "absent", "adjective", "after", "amenity", "and", "approximate", "article", "at", "attribute", "block",
        "by", "checkable", "checkable ending", "clock", "common", "comparative", "compare", "compare budget",
        "compare moment", "compare value", "contents", "copula", "count", "do", "either", "equal",
        "every", "field", "filler", "free", "from", "graded", "have", "in", "in state", "lack", "language", "lead",
        "limit", "location", "measure", "modal", "moment name", "month", "multiplier", "name",
        "neither", "no", "no value", "nor",
        "not", "not equal", "not in", "number", "of", "or", "per", "preposition", "present", "pronoun", "range",
        "reference", "satisfied", "share", "state", "tail filler", "taste ending", "thing", "to", "user", "vague",
        "vague ending", "value", "verdict", "verdict noun", "with", "yes",
    }
)  # fmt: skip
_MULTIPLIERS: Final = 1000
"""From this number on a word is a multiplier: "3 thousand"."""
ENDINGS: Final = frozenset({"vague ending", "checkable ending", "taste ending"})
"""Kinds whose entries are the ends of words."""


@dataclass(slots=True)
class Node:
    next: dict[str, "Node"] = field(default_factory=dict)
    senses: dict[str, str] = field(default_factory=dict)

    def grow(self, words: Sequence[str], kind: str, value: str) -> None:
        """Add a sense to a phrase below this node."""
        node = self
        for word in words:
            node = node.next.setdefault(word, Node())
        node.senses[kind] = value

    def longest(self, tokens: Sequence[Token], at: int) -> tuple[int, dict[str, str]]:
        """How many tokens the longest phrase at a place takes, and its senses; 0 where none begins there."""
        node, count, senses = self, 0, dict[str, str]()
        for place in range(at, len(tokens)):
            step = node.next.get(tokens[place].text) if tokens[place].kind != "quoted" else None
            if step is None:
                break
            node = step
            if node.senses:
                count, senses = place + 1 - at, node.senses
        return count, senses


@dataclass(slots=True)
class Lexicon:
    """Phrases as a tree, and single entries by kind."""

    language: Language
    root: Node = field(default_factory=Node)
    entries: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of each kind, folded phrase to value."""
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of each kind, value to the first phrase that has it, as written."""
    endings: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def add(self, kind: str, value: str, phrase: str) -> None:
        words = [token.text for token in criterion_tokens(tidy(phrase))]
        if not words:
            raise ValueError("an empty phrase")
        self.entries.setdefault(kind, {})[" ".join(words)] = value or phrase
        self.names.setdefault(kind, {}).setdefault(value, phrase.strip())
        if kind in ENDINGS or kind == "free":
            return
        self.root.grow(words, kind, value or phrase)

    def has(self, kind: str, text: str) -> bool:
        return text in self.entries.get(kind, {})

    def ends(self, kind: str, text: str) -> bool:
        """Whether a folded word has one of the endings listed as that kind."""
        if kind not in self.endings:
            self.endings[kind] = tuple(entry.replace(" ", "") for entry in self.entries.get(kind, {}))
        return len(text) > 5 and text.endswith(self.endings[kind])


def tagged(tokens: Sequence[Token], words: Lexicon) -> list[Token]:
    """The tokens with the phrases of the lexicon made one each, and given their senses."""
    phrases: list[Token] = []
    at = 0
    while at < len(tokens):
        used, senses = _longest(tokens, at, words)
        if used > 1:
            raw = " ".join(token.raw for token in tokens[at : at + used])
            text = " ".join(token.text for token in tokens[at : at + used])
            phrases.append(Token("word", text, raw, tokens[at].glued, senses))
        else:
            token = tokens[at]
            name = at > 0 and token.raw == "A" and not tokens[0].raw.isupper()  # the grade, not the article
            phrases.append(Token(token.kind, token.text, token.raw, token.glued, senses if used and not name else {}))
        at += used or 1
    return phrases


def _longest(tokens: Sequence[Token], at: int, words: Lexicon) -> tuple[int, dict[str, str]]:
    """The longest phrase; only its first word where its meaning needs more: "is completed" a moment after it, and
    "de calidad" is no praise after a number.
    """
    used, senses = words.root.longest(tokens, at)
    ends = used > 1 and senses.keys() == {"measure"} and at + used == len(tokens)
    counted = (
        used == 2
        and senses.keys() == {"vague"}
        and at > 0
        and tokens[at - 1].kind == "number"
        and words.has("attribute", tokens[at + 1].text)
    )
    if counted or (ends and words.has("copula", tokens[at].text)):
        return words.root.longest(tokens[at : at + 1], 0)
    return used, senses


@cache
def lexicon(language: Language) -> Lexicon:
    """The words of a language. Raises `ValueError` naming the line of a file that cannot be read."""
    words = Lexicon(language)
    for name in (f"{language}.txt", f"things_{language}.txt", "symbols.txt"):
        for section, lines in sections_of(DATA / name, _phrases).items():
            kind, value = _kind(section)
            for own_value, phrases in lines:
                for phrase in phrases:
                    words.add(kind, own_value or value, phrase)
    for word, number in cardinals(language).items():
        if number < _MULTIPLIERS and not words.has("article", word):
            words.add("number", str(number), word)
    return words


def _phrases(section: str, line: str) -> tuple[str, list[str]]:
    """The value that a line gives its phrases, if any, and the phrases."""
    _kind(section)
    value, equals, phrases = line.rpartition(" = ")
    listed = phrases.split(" | ")
    if not all(map(str.strip, listed)):
        raise ValueError("an empty phrase")
    return value.strip() if equals else "", listed


@cache
def _kind(section: str) -> tuple[str, str]:
    """The kind that a section is of, and the value that it gives."""
    kind = next((kind for kind in sorted(KINDS, key=len, reverse=True) if f"{section} ".startswith(f"{kind} ")), None)
    if kind is None:
        raise ValueError(f"no such section: {section}")
    return kind, section.removeprefix(kind).strip()
