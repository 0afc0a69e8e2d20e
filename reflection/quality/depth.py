"""How deep an analysis goes. Sources: RT-010, 3; design.md, "Settled", 4."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import ClassVar, Final

from reflection.quality.negation import Kind, Language, is_denied
from reflection.quality.words import data_read, folded_line

_TOO_SHORT, _TOO_SHORT_SCORE = 50, 0.2
_BONUS_PER, _BONUS_AT_MOST = 5000, 0.1
_PLACES_AT_MOST: Final = 500
"""Places of one indicator that are checked; one that is denied in all of them does not count."""


@dataclass(frozen=True)
class _Indicator:
    """Counts once, in whichever of its forms it is found: English anywhere, as the source looks for it, Spanish in
    whole words.
    """

    kind: Kind
    language: Language
    forms: tuple[str, ...]

    def found_in(self, text: str) -> str | None:
        """The form that occurs and is not denied."""
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
    """Analyze depth of reflection. A bare list of indicators scores as in the source's algorithm: relevance, novelty
    and the check of adjustments reject it.
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
    def _base(forms: dict[str, list[str]]) -> float:
        if len(forms["deep"]) >= 2:
            return 0.9
        if len(forms["medium"]) >= 2:
            return 0.7
        return 0.5 if forms["shallow"] else 0.3


def indicators(analysis: str) -> dict[str, list[str]]:
    """The indicators in a text, by level: each once, in the form that occurs."""
    texts: dict[Language, str] = {"en": analysis.lower(), "es": folded_line(analysis)}
    return {
        level: [form for indicator in listed if (form := indicator.found_in(texts[indicator.language]))]
        for level, listed in _indicators().items()
    }


@cache
def _indicators() -> dict[str, list[_Indicator]]:
    levels = DepthAnalyzer.DEPTH_INDICATORS
    return {level: [*_read("en", level), *_read("es", level)] for level in levels}


def _read(language: Language, level: str) -> Iterator[_Indicator]:
    for row in data_read("indicators.json")[language][level]:
        yield _Indicator(Kind(row["kind"]), language, tuple(folded_line(form) for form in row["forms"]))
