"""A task cut into tokens, words, numbers, quoted texts and signs, and the items that are made of them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from language import Language
from language.fold import fold

READ_AT_MOST: Final = 4_000
"""Characters of a task that are read; the rest counts as one name, so that it is not lost."""

# Every repetition that another alternative could read again is bounded: the time stays linear.
_TOKEN: Final = re.compile(
    r"""
    (?P<quote>"[^"\n]{1,200}"|“[^”\n]{1,200}”|«[^»\n]{1,200}»|`[^`\n]{1,200}`|(?<!\w)'[^'\n]{2,100}'(?!\w))
    |(?P<code>https?://\S{1,200}|[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,64})
    |(?P<half>[ap]\.\s?m\b\.?)
    |(?P<number>\d{4}-\d{2}-\d{2}\b|\d+(?:[.,:/]\d+)*)
    |(?P<name>[^\W\d_]{1,10}-?\d\w{0,30}|\w{1,60}_\w{0,60}(?:\(\))?|[^\W\d_]{2,60}(?:\.[^\W\d_]{2,60}){1,6}(?:\(\))?)
    |(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)*)
    |(?P<sign><=|>=|==|!=|\S)
    """,
    re.VERBOSE,
)
_POSSESSIVE: Final = re.compile(r"['’]s$", re.IGNORECASE)
_PREFIXES: Final = frozenset({"co", "e", "re", "pre", "multi", "wi", "on", "auto", "micro", "ex"})
"""Before a hyphen they make one word with what follows: co-working, e-mail."""
_KEPT: Final = frozenset({"let's", "what's", "it's", "valentine's", "year's", "who's", "there's", "that's"})


@dataclass(frozen=True, slots=True)
class Token:
    """`fold` is lower case without accents; `hyphen`: joined to the token before by a hyphen."""

    text: str
    fold: str
    kind: str
    start: int
    end: int
    hyphen: bool = False

    @property
    def is_capitalised(self) -> bool:
        return self.text[:1].isupper()


def task_tokens(task: str) -> list[Token]:
    """The tokens of a task, in order."""
    tokens = list(_read(task[:READ_AT_MOST]))
    if len(task) > READ_AT_MOST:
        rest = sha256(task[READ_AT_MOST:].encode("utf-8", "replace")).hexdigest()[:16]
        tokens.append(Token(rest, rest, "code", READ_AT_MOST, len(task)))
    return tokens


def _read(text: str) -> Iterator[Token]:
    """The tokens, those with a prefix and a hyphen made one."""
    held: Token | None = None
    for token in _pieces(text):
        if held is not None and token.hyphen and token.kind == "word":
            token = Token(held.text + token.text, held.fold + token.fold, "word", held.start, token.end, held.hyphen)
        elif held is not None:
            yield held
        held = token if token.fold in _PREFIXES else None
        if held is None:
            yield token
    if held is not None:
        yield held


def _pieces(text: str) -> Iterator[Token]:
    hyphen_at = -1
    for match in _TOKEN.finditer(text):
        kind, raw, start = str(match.lastgroup), match.group(), match.start()
        joins = raw in "-‐‑–" and 0 < start < len(text) - 1
        if joins and text[start - 1].isalnum() and text[start + 1].isalnum():
            hyphen_at = match.end()
            continue
        if kind == "quote":
            yield Token(raw, fold(raw[1:-1].replace("’", "'")).strip(), kind, start, match.end())
            continue
        folded = fold(raw.replace("’", "'"))
        if kind == "word" and folded not in _KEPT and _POSSESSIVE.search(raw):
            raw, folded = raw[:-2], folded[:-2]
        if not folded:  # a mark alone
            continue
        if kind == "half":
            raw = folded = folded[0] + "m"
            kind = "word"
        yield Token(raw, folded, "code" if kind == "name" else kind, start, match.end(), hyphen_at == start)


def phrase_tokens(phrase: str) -> tuple[str, ...]:
    """A phrase of the data files as the tokens that it would be in a task, folded."""
    return tuple(token.fold for token in _read(phrase))


VERB: Final = "verb"
OBJECT: Final = "object"
PLACE: Final = "place"
NAME: Final = "name"
DATE: Final = "date"
DURATION: Final = "duration"
AMOUNT: Final = "amount"
QUANTITY: Final = "quantity"
NEGATION: Final = "negation"
QUALITY: Final = "quality"
WORD: Final = "word"
"""A word that no data file knows; `Item.value` is its stem."""


@dataclass(frozen=True, slots=True)
class Item:
    """A piece from token `first` to before `last`, and its canonical value.

    `role`: the preposition that joins it to the rest ("to", "from", "with", "near"...), empty where by none; `intro`:
    where that begins. `joined`: it is in a list with the item before it.
    """

    kind: str
    value: str
    first: int
    last: int
    role: str = ""
    intro: int = -1
    joined: bool = False

    @property
    def begins(self) -> int:
        """The first token with what introduces it."""
        return self.first if self.intro < 0 else self.intro


@dataclass
class Reading:
    """Tokens of a task, and the items found so far; `used` tokens belong to an item or have no meaning."""

    text: str
    language: Language
    tokens: Sequence[Token]
    items: list[Item] = field(default_factory=list)
    used: list[bool] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.used = [False] * len(self.tokens)

    def take(self, item: Item, *, also_from: int | None = None) -> None:
        """Add an item; its tokens, and those before it from `also_from` on, are used."""
        self.items.append(item)
        start = item.first if also_from is None else also_from
        self.used[start : item.last] = [True] * (item.last - start)

    def is_free(self, first: int, last: int) -> bool:
        """Whether these tokens are there and not used."""
        return first >= 0 and last <= len(self.tokens) and not any(self.used[first:last])

    def fold(self, place: int) -> str:
        """The folded token there; empty outside of the task."""
        return self.tokens[place].fold if 0 <= place < len(self.tokens) else ""
