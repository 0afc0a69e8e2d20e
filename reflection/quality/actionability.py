"""Whether adjustments are concrete, by how they are put. Sources: RT-010, 4; design.md, "Settled", 4."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Final

from language.detect import language_of
from language.tokens import any_of
from reflection.quality.negation import Kind, Language, is_denied
from reflection.quality.words import READ_AT_MOST, data_read, folded_line

_ANYTHING: Final = ".+"
_WORD: Final = re.compile(r"[^\W\d_]+")
_QUOTED: Final = re.compile(r"""(?<!\w)'[^'\n]{1,200}'(?!\w)|"[^"\n]{1,200}"|[«“][^»”\n]{1,200}[»”]""")
_LINE_AT_LEAST: Final = 5
_PLACES_AT_MOST: Final = 50
"""Beginnings of one form in a line that are looked at."""


@dataclass(frozen=True)
class _Form:
    """A documented pattern, cut at each `.+`. It is searched piece by piece, each as early as possible: the same
    matches as of the pattern, in linear time for any text.
    """

    pieces: tuple[re.Pattern[str], ...]
    language: Language

    def is_in(self, line: str) -> bool:
        for place, first in enumerate(self.pieces[0].finditer(line)):
            if place >= _PLACES_AT_MOST:
                return False
            if not is_denied(line, first.start(), first.end(), Kind.COMMAND, self.language):
                return self._goes_on(line, first.end())  # a later beginning finds no more than an earlier one
        return False

    def _goes_on(self, line: str, end: int) -> bool:
        for piece in self.pieces[1:]:
            match = piece.search(line, end + 1)
            if match is None:
                return False
            end = match.end()
        return end < len(line)


class ActionabilityChecker:
    """Check if adjustments are concrete and executable, by phrasing alone. The validator asks the registry whether they
    can be executed.
    """

    ACTIONABLE_PATTERNS: ClassVar[list[str]] = list(data_read("actions.json")["en"]["actionable"])
    VAGUE_PATTERNS: ClassVar[list[str]] = list(data_read("actions.json")["en"]["vague"])

    def score(self, adjustments: Sequence[str]) -> float:
        """0.0: none; 0.4: vague; 0.8: specific; 1.0: fully executable. In between, 0.6: some are."""
        if not adjustments:
            return 0.0
        actionable = vague = 0
        for adjustment in map(str, adjustments):
            if self.is_actionable(adjustment):
                actionable += 1
            elif self.is_vague(adjustment):
                vague += 1
        total = len(adjustments)
        if actionable == total:
            return 1.0
        if actionable >= total * 0.8:
            return 0.8
        return 0.4 if vague >= total * 0.5 else 0.6

    def is_actionable(self, adjustment: str) -> bool:
        """Whether it has one of the forms of an adjustment, and is not denied."""
        if any(form.is_in(line) for line in _lines(adjustment) for form in _forms("en")):
            return True
        if _is_english(adjustment):
            return False
        lines = map(folded_line, _lines(adjustment[:READ_AT_MOST]))
        return any(form.is_in(line) for line in lines for form in _forms("es"))

    def is_vague(self, adjustment: str) -> bool:
        """Whether it only says that things should go better."""
        small = adjustment.lower()
        if any(words in small for words in self.VAGUE_PATTERNS):
            return True
        return not _is_english(adjustment) and _vague_spanish().search(folded_line(small)) is not None


def _is_english(adjustment: str) -> bool:
    """Whether its own words, quotes aside, are rather English: no Spanish form counts in it, as in the source.
    Without listed words its beginning decides.
    """
    words = _WORD.findall(_QUOTED.sub(" ", folded_line(adjustment)))
    english, spanish = (len(_tell_tales(language).intersection(words)) for language in ("en", "es"))
    if english == spanish:
        begins = " ".join(words)
        is_form = any(form.pieces[0].match(begins) for form in _forms("es")) or _vague_spanish().match(begins)
        return not is_form and bool(words) and language_of(words[0]) == "en"
    return english > spanish


@cache
def _tell_tales(language: str) -> frozenset[str]:
    return frozenset(data_read("actions.json")["words"][language])


def _lines(adjustment: str) -> list[str]:
    """The lines, in lower case, that are long enough for a form."""
    return [line for line in adjustment.lower().split("\n") if len(line) >= _LINE_AT_LEAST]


@cache
def _forms(language: Language) -> tuple[_Form, ...]:
    rows = data_read("actions.json")[language]["actionable"]
    if language == "en":
        return tuple(
            _Form(tuple(re.compile(re.escape(piece)) for piece in row.split(_ANYTHING) if piece), "en") for row in rows
        )
    return tuple(_Form((re.compile(rf"(?<!\w){row[0]}"), *map(re.compile, row[1:])), "es") for row in rows)


@cache
def _vague_spanish() -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{any_of(data_read('actions.json')['es']['vague'])})(?!\w)")
