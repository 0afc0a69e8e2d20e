"""From text to tokens. Linear in the text: no part of the pattern can be read in two ways."""

import re
from dataclasses import dataclass, field
from typing import Final

from language.fold import compose, fold, plain_signs

from .contracts import Amount

TEXT_AT_MOST: Final = 500
"""Characters of a criterion; longer ones are not read."""

_PATTERN: Final = re.compile(
    r"""
    (?P<quoted>"[^"]{1,200}"|“[^”]{1,200}”|«[^»]{1,200}»|(?<!\w)'[^']{1,200}'(?!\w))
    |(?P<stamp>[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[Tt\ ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,9})?)?
        (?:[zZ]|[+-][0-9]{2}:?[0-9]{2})?)?(?![0-9]))
    |(?P<date>[0-9]{1,2}(?P<sep>[/.-])[0-9]{1,2}(?P=sep)[0-9]{4}(?![0-9])|[0-9]{4}/[0-9]{1,2}/[0-9]{1,2}(?![0-9]))
    |(?P<time>[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9])|[0-9]{1,2}h[0-9]{2}(?!\w))
    |(?P<number>[0-9]{1,3}(?:\ [0-9]{3})+(?![0-9])(?:[.,][0-9]+)?
        |[0-9]+(?:[.,'][0-9]+)*(?:e[+-]?[0-9]{1,2}(?!\w))?|\.[0-9]+)
    |(?P<meridiem>[ap]\.\ ?m\b\.?)
    |(?P<word>[^\W\d_]\w*(?:[-'.&]\w+)*)
    |(?P<stars>[★☆⭐]+)
    |(?P<symbol>>=|<=|=>|=<|==|!=|<>|[^\s\w]|_)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_SAME: Final = str.maketrans({"º": "°", "⩾": "≥", "⩽": "≤"})
_CONTRACTED: Final = {"can": "can", "won't": "will", "shan't": "shall", "cannot": "can"}
_CAMEL: Final = re.compile(r"^[a-z]{3,}(?:[A-Z][a-z0-9]+)+$")
_HUMP: Final = re.compile(r"[A-Z]?[a-z0-9]+")


@dataclass(slots=True)
class Token:
    """One piece of a text. `text` is folded (small letters, no accents), `raw` as written; `glued`: no space before.

    `kind` is the lexer's until the tagger gives it senses: kinds of the lexicon with their values.
    """

    kind: str
    text: str
    raw: str
    glued: bool = False
    senses: dict[str, str] = field(default_factory=dict)
    amount: Amount | None = None
    hint: str | None = None
    """The field that a value is of where none is named: "age" of "18 years old"."""


def tidy(text: str) -> str:
    """One spelling of what looks alike: spaces, apostrophes, dashes, composed letters."""
    composed = compose(plain_signs(text).translate(_SAME), compatible=True)
    return " ".join(plain_signs(composed).translate(_SAME).split())


def criterion_tokens(text: str) -> list[Token]:
    tokens: list[Token] = []
    end = 0
    for match in _PATTERN.finditer(text):
        kind, raw, glued = match.lastgroup or "symbol", match[0], match.start() == end > 0
        end = match.end()
        if kind == "word":
            tokens.extend(_words(raw, glued))
        elif kind == "quoted":
            tokens.append(Token(kind, fold(raw[1:-1]).strip(), raw[1:-1].strip(), glued))
        elif kind == "meridiem":
            tokens.append(Token("word", raw[0].lower() + "m", raw, glued))
        elif raw == "'" and glued and tokens and tokens[-1].text.endswith("s"):
            tokens.append(Token("word", "'s", raw, glued=True))
        else:
            tokens.append(Token(kind, raw.lower(), raw, glued))  # folded, a sign such as ≠ would lose its stroke
    return tokens


def _words(raw: str, glued: bool) -> list[Token]:
    """Contractions, possessives and names as programs write them ("hotel_quality", "hotelQuality") taken apart."""
    folded = fold(raw)
    if folded.endswith("n't") or folded == "cannot":
        first = _CONTRACTED.get(folded, folded.removesuffix("n't") if folded != "can't" else "can")
        return [Token("word", first, first, glued), Token("word", "not", "not")]
    if folded.endswith("'s") and len(folded) > 2:
        return [*_words(raw[:-2], glued), Token("word", "'s", raw[-2:], glued=True)]
    if "_" in raw or "." in raw:
        return [Token("word", fold(part), part, glued) for part in re.split(r"[_.]+", raw) if part]
    if _CAMEL.match(raw):
        return [Token("word", part.lower(), part.lower(), glued) for part in _HUMP.findall(raw)]
    return [Token("word", folded, raw, glued)]
