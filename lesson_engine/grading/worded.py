"""Numbers that are all in words, in Spanish and English: "treinta y dos", "two and a half", "cero coma cinco"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from .lexicon import LANGUAGES, number_words
from .normalise import fold_in_place
from .slips import is_word, one_edit_apart

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
        11: "onceavo onceava eleventh",
        12: "doceavo doceava twelfth",
        15: "quinceavo quinceava fifteenth",
        16: "dieciseisavo dieciseisava sixteenth",
        20: "veinteavo veinteava twentieth",
        100: "centesimo centesima hundredth",
        1000: "milesimo milesima thousandth",
    }.items()
    for word in words.split()
}
"""Denominators by the words that name them."""

_HUNDREDS: Final = (
    "doscient",
    "trescient",
    "cuatrocient",
    "quinient",
    "seiscient",
    "setecient",
    "ochocient",
    "novecient",
)
_MORE_WORDS: Final = {
    **{stem + ending: hundreds * 100 for hundreds, stem in enumerate(_HUNDREDS, 2) for ending in ("os", "as")},
    **dict.fromkeys(("veintiun", "veintiuna"), 21),
    **dict.fromkeys(("nought", "naught"), 0),
    **dict.fromkeys(("million", "millions", "millon", "millones"), 10**6),
    **dict.fromkeys(("billion", "billions"), 10**9),
    **dict.fromkeys(("billon", "billones"), 10**12),
}
SCALES: Final = {
    "mil": 3,
    "thousand": 3,
    "thousands": 3,
    **dict.fromkeys(("million", "millions", "millon", "millones"), 6),
    **dict.fromkeys(("billion", "billions"), 9),
    **dict.fromkeys(("billon", "billones"), 12),
}
"""Powers of ten that a number may stand before, in digits too: "2.5 million". An English billion is not a "billón"."""

_DOZENS: Final = frozenset({"dozen", "dozens", "docena", "docenas"})
_AND: Final = frozenset({"y", "and"})
_POINT: Final = frozenset({"coma", "punto", "point", "con"})
_OVER: Final = (
    ("over",),
    ("sobre",),
    ("entre",),
    ("out", "of"),
    ("de", "cada"),
    ("out", "of", "every"),
    ("in", "every"),
)
_SINGLES: Final = frozenset({"un", "una", "uno", "one"})
_TOKEN = re.compile(r"[a-z]+")
_SIGN = re.compile(r"(?<![^\s(=:])-\s?$")
_PERCENT = re.compile(r" ?%")
MOST_WORDS_WITH_SLIPS: Final = 4
"""Words of a reply up to which "trenta" may be a slip for "treinta"; in a sentence it may be any word."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A number in words and where it stands."""

    value: Fraction
    start: int
    end: int
    percent: bool


@lru_cache(maxsize=1)
def cardinals() -> dict[str, int]:
    """Every word that counts, folded."""
    return {**number_words(), **_MORE_WORDS}


def worded(text: str) -> list[Worded]:
    """Every number in words of a text without digits, in order."""
    folded = fold_in_place(text)
    return list(_Reader(folded, [*_TOKEN.finditer(folded)]).numbers())


def part_of(word: str) -> int | None:
    """The denominator that a word such as "quarters" names."""
    return PARTS.get(fold_in_place(word).strip().rstrip("s"))


class _Reader:
    """Reads numbers off the words of one text; every method says where it stopped."""

    def __init__(self, text: str, matches: Sequence[re.Match[str]]) -> None:
        self.text, self.matches = text, matches
        slips = len(matches) <= MOST_WORDS_WITH_SLIPS
        self.words = [_despelt(match[0]) if slips else match[0] for match in matches]

    def numbers(self) -> Iterator[Worded]:
        at = 0
        while at < len(self.words):
            found = self._number(at)
            if found is None or (self._is_article(at, found[1])):
                at += 1
                continue
            value, after = found
            start, end = self.matches[at].start(), self.matches[after - 1].end()
            sign = -1 if _SIGN.search(self.text, 0, start) else 1
            yield Worded(sign * value, start, end, bool(_PERCENT.match(self.text, end)))
            at = after

    def _is_article(self, at: int, after: int) -> bool:
        return after == at + 1 and self.words[at] in _SINGLES and len(self.words) > 2

    def _number(self, at: int) -> tuple[Fraction, int] | None:
        """A number with its fraction, point or dozens."""
        found = self._part(at) or self._cardinal(at)
        if found is None:
            return self._after_point(at, 0) if self._word(at) in _POINT - {"con"} and at == 0 else None
        whole, after = found
        if after > at and self._part(at) is None:
            whole, after = self._with_fraction(whole, after)
        return self._multiplied(whole, after)

    def _with_fraction(self, whole: Fraction, at: int) -> tuple[Fraction, int]:
        if (parts := self._denominator(at)) is not None:
            return whole / parts, at + 1
        if self._word(at) in _POINT and (decimal := self._after_point(at, whole)):
            return decimal
        if over := next((words for words in _OVER if tuple(self.words[at : at + len(words)]) == words), None):
            under = self._cardinal(at + len(over))
            if under and under[0]:
                return whole / under[0], under[1]
        if self._word(at) in _AND and self._joined(at) and (rest := self._part(at + 1) or self._counted_parts(at + 1)):
            # "un millón y medio" is half a million more.
            unit = 10 ** SCALES.get(self.words[at - 1], 0) if SCALES.get(self.words[at - 1], 0) > 3 else 1
            return whole + rest[0] * unit, rest[1]
        return whole, at

    def _part(self, at: int) -> tuple[Fraction, int] | None:
        """Such as "half" and "a third"."""
        start = at + 1 if self._word(at) in ("a", "an") and self._joined(at + 1) else at
        parts = PARTS.get(self._word(start).rstrip("s"))
        return (Fraction(1, parts), start + 1) if parts else None

    def _counted_parts(self, at: int) -> tuple[Fraction, int] | None:
        count = self._cardinal(at)
        parts = self._denominator(count[1]) if count else None
        return (count[0] / parts, count[1] + 1) if count and parts and count[0] < parts else None

    def _denominator(self, at: int) -> int | None:
        return PARTS.get(self._word(at).rstrip("s")) if self._joined(at) else None

    def _multiplied(self, value: Fraction, at: int) -> tuple[Fraction, int]:
        """Half "a million", two "dozen"."""
        start = at + 1 if self._word(at) in ("a", "an", "de", "of") and self._joined(at) else at
        if self._word(start) in _DOZENS:
            return value * 12, start + 1
        if value.denominator > 1 and self._word(start) in SCALES:
            return value * 10 ** SCALES[self._word(start)], start + 1
        return value, at

    def _after_point(self, at: int, whole: Fraction | int) -> tuple[Fraction, int] | None:
        digits, place = "", at + 1
        while (found := self._cardinal(place)) and found[0] < 100:
            digits, place = digits + str(found[0]), found[1]
        return (whole + Fraction(int(digits), 10 ** len(digits)), place) if digits else None

    def _cardinal(self, at: int) -> tuple[Fraction, int] | None:
        """The longest run of words that is one whole number: "mil doscientos", but not "dos y tres"."""
        total = group = 0
        room = 1000  # what may still be added to the group must be smaller
        place = at
        while True:
            skip = self._may_skip_and(place, room, total, group) if place > at else 0
            value = cardinals().get(self._word(place + skip))
            if value is None or (place > at and not self._joined(place)):
                break
            if value >= 1000:
                if place > at and not group and not 0 < total < value:
                    break
                total = (total + group or 1) * value if total < value else total + group * value
                group, room = 0, 1000
            elif value == 100 and 0 < group < 10:
                group, room = group * 100, 100
            elif value < room and (place == at or value):
                group, room = group + value, _room_below(value)
            else:
                break
            place += 1 + skip
        return (Fraction(total + group), place) if place > at else None

    def _may_skip_and(self, place: int, room: int, total: int, group: int) -> int:
        """1 where "y" or "and" joins parts of one number: tens and units, or what follows hundreds and thousands."""
        if self._word(place) not in _AND or not self._joined(place) or not self._joined(place + 1):
            return 0
        following = cardinals().get(self._word(place + 1), 1000)
        tens = self._word(place) == "y" and room == 10 and following < 10
        hundreds = following < 100 and (room == 100 or (total > 0 and group == 0))
        return int(tens or hundreds)

    def _word(self, at: int) -> str:
        return self.words[at] if at < len(self.words) else ""

    def _joined(self, at: int) -> bool:
        """Whether nothing but a blank or hyphen stands before the word."""
        if not 0 < at < len(self.matches):
            return at == 0
        return self.text[self.matches[at - 1].end() : self.matches[at].start()] in (" ", "-", " - ")


def _room_below(value: int) -> int:
    if value >= 100:
        return 100
    return 10 if value in (20, 30, 40, 50, 60, 70, 80, 90) else 0


@lru_cache(maxsize=4096)
def _despelt(word: str) -> str:
    """The one number word that this is a slip for, else the word itself."""
    if (
        word in cardinals()
        or len(word) < 4
        or word.rstrip("s") in PARTS
        or any(is_word(word, code) for code in LANGUAGES)
    ):
        return word
    near = [known for known in cardinals() if len(known) >= 5 and one_edit_apart(word, known)]
    return near[0] if len({cardinals()[known] for known in near}) == 1 else word
