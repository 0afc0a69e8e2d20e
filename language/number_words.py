"""Numbers in words, in Spanish and English: "treinta y dos", "two and a half", "cero coma cinco"."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from language import LANGUAGES, Language
from language.fold import fold_in_place
from language.word_lists import json_file

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
_DATA: Final = Path(__file__).parent / "data" / "numbers.json"
_WORD: Final = re.compile(r"[a-z]+")
_SIGN: Final = re.compile(r"(?<![^\s(=:])-\s?$")
_PERCENT: Final = re.compile(r" ?%")
_JOINTS: Final = frozenset({" ", "-", " - "})
"""What may be between the words of one number."""
MOST_WORDS_WITH_SLIPS: Final = 4
"""Words of a reply up to which "trenta" may be a slip for "treinta"; in a sentence it may be any word."""


@dataclass(frozen=True, slots=True)
class Worded:
    """A number in words and where it stands."""

    value: Fraction
    start: int
    end: int
    percent: bool


@cache
def cardinals(language: Language | None = None) -> dict[str, int]:
    """The words that count, folded, with their numbers; without a language those of both."""
    tables = json_file(_DATA)["cardinals"]
    codes = [language] if language else LANGUAGES
    return {word: number for code in codes for word, number in _words(tables[code]).items()}


@cache
def powers_of_ten() -> dict[str, int]:
    """Exponents of what a number may stand before, in digits too: 6 for "2.5 million"."""
    return _words(json_file(_DATA)["powers"])


@cache
def parts() -> dict[str, int]:
    """Denominators by the singular words that name them."""
    return _words(json_file(_DATA)["parts"])


def part_of(word: str) -> int | None:
    """The denominator that a word such as "quarters" names."""
    return parts().get(fold_in_place(word).strip().rstrip("s"))


def _words(table: dict[str, str]) -> dict[str, int]:
    return {word: int(number) for number, words in table.items() for word in words.split()}


def worded(text: str, *, respell: Callable[[str], str] | None = None) -> list[Worded]:
    """The numbers in words of a text without digits, in order.

    `respell` corrects slips; in a text of more than four words it is not asked, for "trenta" may be any word there.
    """
    folded = fold_in_place(text)
    matches = [*_WORD.finditer(folded)]
    words = [match[0] for match in matches]
    if respell and len(words) <= MOST_WORDS_WITH_SLIPS:
        words = [respell(word) for word in words]
    gaps = ["", *(folded[left.end() : right.start()] for left, right in pairwise(matches))]
    numbers = []
    for value, first, last in _Reader(words, gaps).numbers():
        start, end = matches[first].start(), matches[last].end()
        sign = -1 if _SIGN.search(folded, 0, start) else 1
        numbers.append(Worded(sign * value, start, end, bool(_PERCENT.match(folded, end))))
    return numbers


def cardinal_at(words: Sequence[str], at: int = 0, language: Language | None = None) -> tuple[Fraction, int]:
    """The whole number that begins at a place of folded words, and how many words it has; 0 words where none begins."""
    cardinal = _Reader(words, [" "] * len(words), language).cardinal(at)
    return (cardinal[0], cardinal[1] - at) if cardinal else (Fraction(0), 0)


class _Reader:
    """Reads numbers off words; the methods return where they stopped. `gaps`: what is before each word."""

    def __init__(self, words: Sequence[str], gaps: Sequence[str], language: Language | None = None) -> None:
        self.words, self.gaps = words, gaps
        self.cardinals = cardinals(language)

    def numbers(self) -> Iterator[tuple[Fraction, int, int]]:
        """Each number with its first and last word."""
        at = 0
        while at < len(self.words):
            number = self._number(at)
            if number is None or self._is_article(at, number[1]):
                at += 1
                continue
            yield number[0], at, number[1] - 1
            at = number[1]

    def _is_article(self, at: int, after: int) -> bool:
        return after == at + 1 and self.words[at] in _SINGLES and len(self.words) > 2

    def _number(self, at: int) -> tuple[Fraction, int] | None:
        """A number with its fraction, point or dozens."""
        number = self._part(at) or self.cardinal(at)
        if number is None:
            return self._after_point(at, 0) if self._word(at) in _POINT - {"con"} and at == 0 else None
        whole, after = number
        if after > at and self._part(at) is None:
            whole, after = self._with_fraction(whole, after)
        return self._multiplied(whole, after)

    def _with_fraction(self, whole: Fraction, at: int) -> tuple[Fraction, int]:
        if (denominator := self._denominator(at)) is not None:
            return whole / denominator, at + 1
        if self._word(at) in _POINT and (decimal := self._after_point(at, whole)):
            return decimal
        if over := next((words for words in _OVER if tuple(self.words[at : at + len(words)]) == words), None):
            under = self.cardinal(at + len(over))
            if under and under[0]:
                return whole / under[0], under[1]
        if self._word(at) in _AND and self._joined(at) and (rest := self._part(at + 1) or self._counted_parts(at + 1)):
            # "un millón y medio" is half a million more.
            power = powers_of_ten().get(self.words[at - 1], 0)
            return whole + rest[0] * (10**power if power > 3 else 1), rest[1]
        return whole, at

    def _part(self, at: int) -> tuple[Fraction, int] | None:
        """Such as "half" and "a third"."""
        start = at + 1 if self._word(at) in ("a", "an") and self._joined(at + 1) else at
        denominator = parts().get(self._word(start).rstrip("s"))
        return (Fraction(1, denominator), start + 1) if denominator else None

    def _counted_parts(self, at: int) -> tuple[Fraction, int] | None:
        count = self.cardinal(at)
        denominator = self._denominator(count[1]) if count else None
        if not count or not denominator or count[0] >= denominator:
            return None
        return count[0] / denominator, count[1] + 1

    def _denominator(self, at: int) -> int | None:
        return parts().get(self._word(at).rstrip("s")) if self._joined(at) else None

    def _multiplied(self, value: Fraction, at: int) -> tuple[Fraction, int]:
        """Half "a million", two "dozen"."""
        start = at + 1 if self._word(at) in ("a", "an", "de", "of") and self._joined(at) else at
        if self._word(start) in _DOZENS:
            return value * 12, start + 1
        if value.denominator > 1 and self._word(start) in powers_of_ten():
            return value * 10 ** powers_of_ten()[self._word(start)], start + 1
        return value, at

    def _after_point(self, at: int, whole: Fraction | int) -> tuple[Fraction, int] | None:
        digits, place = "", at + 1
        while (cardinal := self.cardinal(place)) and cardinal[0] < 100:
            digits, place = digits + str(cardinal[0]), cardinal[1]
        return (whole + Fraction(int(digits), 10 ** len(digits)), place) if digits else None

    def cardinal(self, at: int) -> tuple[Fraction, int] | None:
        """The longest run of words that is one whole number: "mil doscientos", but not "dos y tres"."""
        total = group = 0
        room = 1000  # what may still be added to the group must be smaller
        place = at
        while True:
            skip = self._may_skip_and(place, room, total, group) if place > at else 0
            value = self.cardinals.get(self._word(place + skip))
            if value is None or (place > at and not self._joined(place)):
                break
            if value >= 1000:
                one_thousand = self._word(place) == "mil" and total > 0 and total % 10**6 == 0  # "un millón mil"
                if place > at and not group and not 0 < total < value and not one_thousand:
                    break
                total = (total + group or 1) * value if total < value else total + (group or 1) * value
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
        following = self.cardinals.get(self._word(place + 1), 1000)
        tens = self._word(place) == "y" and room == 10 and following < 10
        hundreds = following < 100 and (room == 100 or (total > 0 and group == 0))
        return int(tens or hundreds)

    def _word(self, at: int) -> str:
        return self.words[at] if at < len(self.words) else ""

    def _joined(self, at: int) -> bool:
        """Whether nothing but a blank or hyphen stands before the word."""
        return self.gaps[at] in _JOINTS if 0 < at < len(self.gaps) else at == 0


def _room_below(value: int) -> int:
    if value >= 100:
        return 100
    return 10 if value in (20, 30, 40, 50, 60, 70, 80, 90) else 0
