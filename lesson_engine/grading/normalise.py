"""Folded text in forms that the rules compare: cut into words and stems. Every step bounds its work."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from .andamio_3.fold import clean, fold
from .andamio_3.stems import stem
from .lexicon import Lexicon, lexicon

MAX_WORDS = 400
_NUMERAL = (
    r"(?<![^\W_])(?:(?<![^\s(=:;,])-)?"  # a minus after a blank is a sign, between digits it is none
    r"(?:(?<!\d/)\d+/\d+(?![\d/])"
    r"|(?<!\d[.,])[.,]?\d+(?:[.,]\d+)?(?![.,]?\d|/\d)(?:\^[+-]?\d+|e[+-]\d+)?(?:[^\W\d_][^\W_]*)?)"
)
_TOKEN = re.compile(rf"(?P<numeral>{_NUMERAL})|(?P<word>[^\W_]+)|(?<=\d)[.,](?=\d)|(?P<bar>[.,;:!?\n()])")
_SLASH = re.compile(r"(?<=\d) ?[/⁄] ?(?=\d)")
_MINUS = re.compile(r"[−–](?=[\d.,])")
_WORD = re.compile(r"(?<![\w.,/^-])[^\W\d_]{1,5}(?![\w^(])")
_SYMBOLS = frozenset({"q", "k", "pa"})
"""Units and names of quantities as well: "5 Pa", "k = 2"."""
_BEFORE_A_WORD = re.compile(r" [^\W\d_]{2,}")
_AFTER_A_NUMBER = re.compile(r"\d ?$")


def written_out(text: str, language: str) -> str:
    """The text with the shorthand of messages ("xq no ay q comer") spelt out, but in a formula and after a number."""
    table = lexicon(language).shorthand

    def spelt(word: re.Match[str]) -> str:
        full = table.get(word[0].lower())
        return word[0] if full is None or _is_symbol(word) else full

    return text if "=" in text else _WORD.sub(spelt, text)


def _is_symbol(word: re.Match[str]) -> bool:
    if word[0].lower() not in _SYMBOLS:
        return False
    alone = not _BEFORE_A_WORD.match(word.string, word.end())
    return alone or word[0] != word[0].lower() or bool(_AFTER_A_NUMBER.search(word.string, 0, word.start()))


def tokens(text: str) -> tuple[str, ...]:
    """Folded words and numerals, and a bar where a clause ends. "0,5" is "0.5", "1 / 2" is "1/2", "-3" is not "3"."""
    matches = islice(_TOKEN.finditer(_MINUS.sub("-", _SLASH.sub("/", fold(text)))), MAX_WORDS * 2)
    return tuple(_token(match) for match in matches if match.lastgroup)


def line_of(text: str) -> str:
    """The tokens with blanks between them, for patterns over folded words."""
    return " ".join(tokens(text))


def _token(match: re.Match[str]) -> str:
    if match.lastgroup == "numeral":
        return match[0].replace(",", ".")
    return match[0] if match.lastgroup == "word" else "|"


@dataclass(frozen=True, slots=True)
class Phrase:
    """A text in the forms that the rules compare."""

    text: str
    tokens: tuple[str, ...]
    words: tuple[str, ...]
    content: tuple[str, ...]
    """Words without function words, in order; all words when there is nothing else."""
    stems: tuple[str, ...]
    """The stem of each word of `content`."""
    key: str
    """Equal for two texts that say the same but for case, accents, articles, lead-ins and punctuation."""


@lru_cache(maxsize=32)
def read(text: str, language: str) -> Phrase:
    """All forms of a reply, which is read several times in its own turn and not kept much longer."""
    return _read(text, language)


@lru_cache(maxsize=8192)
def read_authored(text: str, language: str) -> Phrase:
    """All forms of a text of the lesson, which comes back with every answer."""
    return _read(text, language)


def _read(text: str, language: str) -> Phrase:
    words_of = lexicon(language)
    shown = written_out(clean(text), language)
    parts = tokens(shown)
    words = tuple(part for part in parts if part != "|")[:MAX_WORDS]
    content = tuple(word for word in words if word not in words_of.stopwords) or words
    return Phrase(
        text=shown,
        tokens=parts,
        words=words,
        content=content,
        stems=tuple(stem(word, language) for word in content),
        key=_key(words, words_of),
    )


def _key(words: tuple[str, ...], words_of: Lexicon) -> str:
    stripped = _without_lead_in(words, words_of)
    # An article at the very end is a name: "vitamin A".
    content = [word for at, word in enumerate(stripped) if word not in words_of.articles or at == len(stripped) - 1]
    return " ".join(content)


def _without_lead_in(words: tuple[str, ...], words_of: Lexicon) -> tuple[str, ...]:
    for _ in range(3):
        lead = next((lead for lead in words_of.lead_ins if words[: len(lead)] == lead), None)
        if lead is None or len(lead) == len(words):
            return words
        words = words[len(lead) :]
    return words
