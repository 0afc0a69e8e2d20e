"""A task cut into words, numbers, quoted texts and signs, each with its place in the text."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

READ_AT_MOST: Final = 4_000
"""Characters of a task that are read; what comes after counts as one name of its own, so that it is not lost."""

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
        """Whether it begins with a capital."""
        return self.text[:1].isupper()


def folded(text: str) -> str:
    """In lower case, without accents, with plain apostrophes."""
    plain = unicodedata.normalize("NFD", text.casefold())
    return "".join(one for one in plain if not unicodedata.combining(one)).replace("’", "'")


def tokens_of(task: str) -> list[Token]:
    """The tokens of a task, in order."""
    found = list(_read(task[:READ_AT_MOST]))
    if len(task) > READ_AT_MOST:
        rest = sha256(task[READ_AT_MOST:].encode("utf-8", "replace")).hexdigest()[:16]
        found.append(Token(rest, rest, "code", READ_AT_MOST, len(task)))
    return found


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
        kind, said, start = str(match.lastgroup), match.group(), match.start()
        if said in "-‐‑–" and _is_between(text, start):
            hyphen_at = match.end()
            continue
        if kind == "quote":
            yield Token(said, folded(said[1:-1]).strip(), kind, start, match.end())
            continue
        fold = folded(said)
        if kind == "word" and fold not in _KEPT and _POSSESSIVE.search(said):
            said, fold = said[:-2], fold[:-2]
        if kind == "half":
            said = fold = fold[0] + "m"
            kind = "word"
        yield Token(said, fold, "code" if kind == "name" else kind, start, match.end(), hyphen_at == start)


def _is_between(text: str, place: int) -> bool:
    """Whether the hyphen joins what is on both its sides."""
    return 0 < place < len(text) - 1 and text[place - 1].isalnum() and text[place + 1].isalnum()


def words_of(phrase: str) -> tuple[str, ...]:
    """A phrase of the data files as the tokens that it would be in a task, folded."""
    return tuple(token.fold for token in _read(phrase))


def text_of(text: str, tokens: Sequence[Token]) -> str:
    """What the text has from the first to the last of these tokens."""
    return text[tokens[0].start : tokens[-1].end] if tokens else ""
