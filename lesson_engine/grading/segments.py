"""Cutting a reply into the parts of an enumeration."""

import re
from functools import lru_cache

from language.fold import fold_in_place

from .andamio_3.fold import clean, fold
from .lexicon import lexicon

MAX_PARTS = 80

_BULLET = re.compile(r"^\s*(?:[*•·>]+|[-–—]+(?![\d.,])|\(?\d{1,2}\s?[.)\]:-]+(?!\d)|\(?[a-hA-H][.)]+)\s*", re.MULTILINE)
_INLINE_NUMBER = re.compile(r"(?:(?<=\s)|^)\(?\d{1,2}\s?[.)\]:°º-]+\s(?!\d)")
_FRACTION = re.compile(r"(?<=\d) ?/ ?(?=\d)")
# The stroke of "m/s" parts no items, that of "agua/luz" does.
_RATE = re.compile(
    r"(\d ?[^\W\d_]{1,4}[²³]?)/(?=(?:s|h|min|seg|sec|l|ml|m|cm|kg|g|mol|k|°c|d[ií]a|day|hora|hour|segundo|second)s?\b)",
    re.IGNORECASE,
)
_BREAK = re.compile(
    r"\n|;|,(?!\d)|(?<!\d),|(?<=[\d%]) ?[<>≤≥] ?(?=[-\d.,])|\||→|->|=>|\s>\s|•"
    r"|\s[-–—]\s|\.(?=\s|$)|:(?=\s)|(?<!\d)/|/(?!\d)"
)


def parts(text: str) -> list[str]:
    """Parts between line breaks, commas, semicolons, arrows, bullets and numbering; cleaned, not folded."""
    lines = _INLINE_NUMBER.sub(", ", _BULLET.sub(", ", _FRACTION.sub("/", clean(text))))
    lines = _RATE.sub("\\1\N{FRACTION SLASH}", lines)
    return [part.strip() for part in _BREAK.split(lines)[: MAX_PARTS * 2] if part.strip()][:MAX_PARTS]


def has_words(part: str) -> bool:
    """Whether there is a meaning to compare: "5/6" and "4/6" are near to an embedder, and far from equal."""
    return any(char.isalpha() for char in part)


def at_conjunctions(part: str, language: str) -> list[str]:
    """A part cut at "and", "&" and "+"; folded."""
    return [folded for piece in cut_at_conjunctions(part, language) if (folded := fold(piece).strip())]


def cut_at_conjunctions(part: str, language: str) -> list[str]:
    """The same pieces as they were typed, in which "mW" is not "MW"."""
    pieces: list[str] = []
    start = 0
    for cut in _conjunction(language).finditer(fold_in_place(part)):
        pieces.append(part[start : cut.start()])
        start = cut.end()
    return [piece.strip() for piece in (*pieces, part[start:]) if piece.strip()]


@lru_cache(maxsize=4)
def _conjunction(language: str) -> re.Pattern[str]:
    words = "|".join(sorted(lexicon(language).conjunctions))
    return re.compile(rf"\b(?:{words})\b|[&+]")


def at_sequence_words(part: str, language: str) -> list[str]:
    """A part cut where a next step is announced ("then", "finally"), and at conjunctions."""
    words = "|".join(" ".join(phrase) for phrase in lexicon(language).sequence)
    pieces = [piece for piece in re.split(rf"\b(?:{words})\b", fold(part)) if piece.strip()]
    return [piece for step in pieces for piece in at_conjunctions(step, language)]
