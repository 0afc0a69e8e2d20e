"""How deep an analysis goes. Sources: RT-010, 3; design.md, "Settled", 4."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import ClassVar, Final

from reflection.quality.negation import Kind, Language, is_denied
from reflection.quality.words import data_read, folded

_TOO_SHORT, _TOO_SHORT_SCORE = 50, 0.2
_BONUS_PER, _BONUS_AT_MOST = 5000, 0.1
_PLACES_AT_MOST: Final = 500
"""Places of one indicator that are looked at; one that is denied in all of them does not count."""


@dataclass(frozen=True)
class _Indicator:
    """Counts once, in whichever of its forms it is found: English anywhere, as the source looks for it, Spanish in
    whole words.
    """

    kind: Kind
    language: Language
    forms: tuple[str, ...]

    def found_in(self, text: str) -> str | None:
        """The form that is there and is not denied."""
        for start, end in islice(self._places(text), _PLACES_AT_MOST):
            if not is_denied(text, start, end, self.kind, self.language):
                return text[start:end]
        return None

    def _places(self, text: str) -> Iterator[tuple[int, int]]:
        for form in self.forms:
            start = text.find(form)
            while start >= 0:
                end = start + len(form)
                if self.language == "en" or _is_whole(text, start, end):
                    yield start, end
                start = text.find(form, end)


def _is_whole(text: str, start: int, end: int) -> bool:
    return not (start and text[start - 1].isalnum()) and not text[end : end + 1].isalnum()


class DepthAnalyzer:
    """Analyze depth of reflection. A bare list of indicators scores as the source's algorithm has it: relevance,
    novelty and the judge of adjustments are what keeps it out.
    """

    DEPTH_INDICATORS: ClassVar[dict[str, list[str]]] = {
        level: [form for row in rows for form in row["forms"]]
        for level, rows in data_read("indicators.json")["en"].items()
    }

    def assess_depth(self, analysis: str) -> float:
        """0 to 1, by the documented indicators or their Spanish counterparts, and length. A denied one is none."""
        text = analysis or ""
        if len(text) < _TOO_SHORT:
            return _TOO_SHORT_SCORE
        return min(1.0, self._base(indicators(text)) + min(_BONUS_AT_MOST, len(text) / _BONUS_PER))

    @staticmethod
    def _base(found: dict[str, list[str]]) -> float:
        if len(found["deep"]) >= 2:
            return 0.9
        if len(found["medium"]) >= 2:
            return 0.7
        return 0.5 if found["shallow"] else 0.3


def indicators(analysis: str) -> dict[str, list[str]]:
    """What counts in a text, by level: each indicator once, in the form in which it is there."""
    texts: dict[Language, str] = {"en": analysis.lower(), "es": folded(analysis)}
    return {
        level: [form for form in (one.found_in(texts[one.language]) for one in known) if form]
        for level, known in _indicators().items()
    }


@cache
def _indicators() -> dict[str, list[_Indicator]]:
    levels = DepthAnalyzer.DEPTH_INDICATORS
    return {level: [*_read("en", level), *_read("es", level)] for level in levels}


def _read(language: Language, level: str) -> Iterator[_Indicator]:
    for row in data_read("indicators.json")[language][level]:
        yield _Indicator(Kind(row["kind"]), language, tuple(folded(form) for form in row["forms"]))
