"""Fractions that are half spelt out, such as "3 out of 4" and "2 and a half", in the digits they stand for."""

import re
from typing import Final

from .lexicon import number_words
from .normalise import fold

PARTS: Final = {
    word: parts
    for parts, words in {
        2: "mitad medio media half halve",
        3: "tercio tercera third",
        4: "cuarto cuarta quarter fourth",
        5: "quinto quinta fifth",
        6: "sexto sexta sixth",
        7: "septimo septima seventh",
        8: "octavo octava eighth",
        9: "noveno novena ninth",
        10: "decimo decima tenth",
        12: "doceavo doceava twelfth",
        15: "quinceavo quinceava fifteenth",
        20: "veinteavo veinteava twentieth",
        100: "centesimo centesima hundredth",
    }.items()
    for word in words.split()
}
"""Denominators by the words that name them."""

_OVER = re.compile(r"(?<![\w/.,])(\d{1,9}) (?:out of(?: every)?|over|sobre|de cada) (\d{1,9})(?![\w/]|[.,]\d)", re.I)
_LATEX = re.compile(r"\\[dt]?frac ?\{ ?(\d{1,9}) ?\} ?\{ ?(\d{1,9}) ?\}")
_COUNTED_PARTS = re.compile(r"(?<![\w/.,])(\d{1,9})[ -]([^\W\d_]{4,10})\b")
_WHOLES = re.compile(r"(?<=\w) (?:wholes?|enteros?)(?= (?:and|y) )", re.I)
_MIXED = re.compile(
    r"(?<![\w/.,])(\d{1,15}|[^\W\d_]{2,9}) (?:and|y|&|\+) (\d{1,9}) ?/ ?(\d{1,9})(?![\d/]|[.,]\d)", re.I
)
_AND_PARTS = re.compile(r"(?<![\w/.,])(\d{1,15}) (?:and|y) (?:(an?|[^\W\d_]{2,7}) )?([^\W\d_]{4,10})\b", re.I)
_EQUALS = re.compile(r"(?<=\d) (?:is|are|makes?|equals|gives|es|son|da|dan)(?= \d)", re.I)
_BECAUSE = re.compile(r"\b(?:because|since|porque|ya que)\b", re.I)


def with_digits(text: str) -> str:
    """Writes "3 out of 4", "3 quarters" and LaTeX as "3/4", "1 and two fifths" as "1 2/5", "4 x 3 is 12" with "="."""
    text = _LATEX.sub(r" \1/\2 ", text)
    text = _OVER.sub(r"\1/\2", _WHOLES.sub("", text))
    text = _COUNTED_PARTS.sub(_counted, text)
    text = _MIXED.sub(_joined, _AND_PARTS.sub(_with_parts, text))
    return text if _BECAUSE.search(text) else _EQUALS.sub(" =", text)


def _counted(match: re.Match[str]) -> str:
    """Only "3 quarters" is a fraction; "6 quarter litres" are six things."""
    part = _part(match[2]) if match[1] == "1" or match[2].lower().endswith("s") else None
    return f"{match[1]}/{part}" if part else match[0]


def _joined(match: re.Match[str]) -> str:
    """A whole number and a proper fraction; "2 and 7/5" are two numbers."""
    whole = match[1] if match[1].isdigit() else number_words().get(fold(match[1]))
    return f"{whole} {match[2]}/{match[3]}" if whole and int(match[2]) < int(match[3]) else match[0]


def _with_parts(match: re.Match[str]) -> str:
    """Such as "1 and two fifths" and "2 y medio" with digits throughout."""
    count, part = (match[2] or "a").lower(), _part(match[3])
    over = 1 if count in ("a", "an") else number_words().get(fold(count))
    return f"{match[1]} {over}/{part}" if over and part and over < part else match[0]


def _part(word: str) -> int | None:
    """The denominator that a word such as "quarters" names."""
    return PARTS.get(fold(word).strip().rstrip("s"))
