"""The words of a language, read once from `data/`.

A file has sections, `[kind]` or `[kind value]`, and under them phrases, one or several a line with ` | ` between them.
`value = phrase | phrase` gives the phrases of a line a value of their own. `#` begins a comment. docs/criteria.md lists
the kinds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from .tokens import Token, tidy, tokens_of

DATA: Final = Path(__file__).parent / "data"
LANGUAGES: Final = ("en", "es")

KINDS: Final = frozenset(
    {
        "absent", "adjective", "after", "amenity", "and", "approximate", "article", "at", "attribute", "block",
        "by", "checkable", "checkable ending", "clock", "common", "comparative", "compare", "compare budget",
        "compare moment", "compare value", "contents", "copula", "count", "do", "either", "ending", "equal",
        "every", "field", "filler", "free", "from", "graded", "have", "in", "in state", "lack", "language", "lead",
        "limit", "location", "measure", "modal", "moment name", "month", "multiplier", "name",
        "neither", "no", "no value", "nor",
        "not", "not equal", "not in", "number", "of", "or", "per", "preposition", "present", "pronoun", "range",
        "reference", "satisfied", "share", "state", "tail filler", "taste ending", "thing", "to", "user", "vague",
        "vague ending", "value", "verdict", "verdict noun", "with", "yes",
    }
)  # fmt: skip
ENDINGS: Final = frozenset({"ending", "vague ending", "checkable ending", "taste ending"})
"""Kinds whose entries are the ends of words."""


@dataclass(slots=True)
class Node:
    """A place in the tree of phrases."""

    next: dict[str, "Node"] = field(default_factory=dict)
    senses: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Lexicon:
    """Phrases as a tree, and single entries by kind."""

    language: str
    root: Node = field(default_factory=Node)
    entries: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of each kind, folded phrase to value."""
    names: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of each kind, value to the first phrase that has it, as written."""
    endings: dict[str, tuple[str, ...]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    """Every word of the language's file, to tell languages apart."""

    def add(self, kind: str, value: str, phrase: str) -> None:
        """A phrase with one more sense."""
        words = [token.text for token in tokens_of(tidy(phrase))]
        if not words:
            raise ValueError("an empty phrase")
        self.entries.setdefault(kind, {})[" ".join(words)] = value or phrase
        self.names.setdefault(kind, {}).setdefault(value, phrase.strip())
        if kind in ENDINGS or kind == "free":
            return
        node = self.root
        for word in words:
            node = node.next.setdefault(word, Node())
        node.senses[kind] = value or phrase
        self.words.update(words)

    def has(self, kind: str, text: str) -> bool:
        """Whether a folded phrase is listed as that kind."""
        return text in self.entries.get(kind, {})

    def value(self, kind: str, text: str) -> str | None:
        """What a folded phrase stands for."""
        return self.entries.get(kind, {}).get(text)

    def ends(self, kind: str, text: str) -> bool:
        """Whether a folded word has one of the endings listed as that kind."""
        if kind not in self.endings:
            self.endings[kind] = tuple(entry.replace(" ", "") for entry in self.entries.get(kind, {}))
        return len(text) > 5 and text.endswith(self.endings[kind])

    def longest(self, tokens: Sequence[Token], at: int) -> tuple[int, dict[str, str]]:
        """How many tokens the longest phrase at a place takes, and its senses; 0 where none begins there."""
        node, found = self.root, (0, dict[str, str]())
        for count, token in enumerate(tokens[at : at + 9], 1):
            step = node.next.get(token.text) if token.kind != "quoted" else None
            if step is None:
                break
            node = step
            if node.senses:
                found = (count, node.senses)
        return found


@cache
def lexicon(language: str) -> Lexicon:
    """The words of a language. Raises `ValueError` naming the line of a file that cannot be read."""
    words = Lexicon(language)
    own: set[str] = set()
    for name in (f"{language}.txt", f"things_{language}.txt", "symbols.txt"):
        for kind, value, phrase in _entries(name):
            words.add(kind, value, phrase)
        own = own or set(words.words)
        if name.startswith("things"):
            own = set(words.words)
    words.words = own
    return words


def _entries(name: str) -> Iterator[tuple[str, str, str]]:
    kind = value = ""
    for number, line in lines_of(name):
        if line.startswith("["):
            kind, value = _section(line, name, number)
        elif not kind:
            raise ValueError(f"{name}, line {number}: before the first section: {line}")
        else:
            head, equals, tail = line.partition(" = ")
            for phrase in (tail if equals else line).split(" | "):
                if not phrase.strip():
                    raise ValueError(f"{name}, line {number}: an empty phrase: {line}")
                yield kind, head.strip() if equals else value, phrase


def _section(line: str, name: str, number: int) -> tuple[str, str]:
    inside = line.strip("[]")
    kind = next((one for one in sorted(KINDS, key=len, reverse=True) if f"{inside} ".startswith(f"{one} ")), None)
    if kind is None or not line.endswith("]"):
        raise ValueError(f"{name}, line {number}: no such section: {line}")
    return kind, inside[len(kind) :].strip()


def lines_of(name: str) -> Iterator[tuple[int, str]]:
    """The lines of a data file that say something, with their numbers."""
    for number, line in enumerate((DATA / name).read_text(encoding="utf-8").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line.strip()
