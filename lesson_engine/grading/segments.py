"""Cutting a reply into the parts of an enumeration."""

import re

from .lexicon import lexicon
from .normalise import clean, fold

MAX_PARTS = 80

_BULLET = re.compile(r"^\s*(?:[-*•·–—>]+|\(?\d{1,2}\s?[.)\]:-]+(?!\d)|\(?[a-hA-H][.)]+)\s*", re.MULTILINE)
_INLINE_NUMBER = re.compile(r"(?:(?<=\s)|^)\(?\d{1,2}\s?[.)\]:°º-]+\s(?!\d)")
_FRACTION = re.compile(r"(?<=\d) ?/ ?(?=\d)")
_BREAK = re.compile(r"\n|;|,(?!\d)|\||→|->|=>|\s>\s|•|\s[-–—]\s|\.(?=\s|$)|:(?=\s)|(?<!\d)/|/(?!\d)")


def parts(text: str) -> list[str]:
    """Parts between line breaks, commas, semicolons, arrows, bullets and numbering; cleaned, not folded."""
    lines = _INLINE_NUMBER.sub(", ", _BULLET.sub(", ", _FRACTION.sub("/", clean(text))))
    return [part.strip() for part in _BREAK.split(lines)[: MAX_PARTS * 2] if part.strip()][:MAX_PARTS]


def has_words(part: str) -> bool:
    """Whether there is a meaning to compare: "5/6" and "4/6" are near to an embedder, and far from equal."""
    return any(char.isalpha() for char in part)


def at_conjunctions(part: str, language: str) -> list[str]:
    """A part cut at "and", "&" and "+"."""
    words = "|".join(sorted(lexicon(language).conjunctions))
    return [piece.strip() for piece in re.split(rf"\b(?:{words})\b|[&+]", fold(part)) if piece.strip()]


def at_sequence_words(part: str, language: str) -> list[str]:
    """A part cut where a next step is announced ("then", "finally"), and at conjunctions."""
    words = "|".join(" ".join(phrase) for phrase in lexicon(language).sequence)
    pieces = [piece for piece in re.split(rf"\b(?:{words})\b", fold(part)) if piece.strip()]
    return [piece for whole in pieces for piece in at_conjunctions(whole, language)]
