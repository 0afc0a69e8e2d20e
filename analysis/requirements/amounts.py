"""Numbers that a question names, each with how rows are held against it: "over 100", "5 or more", "entre 5 y 10"."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from analysis.contracts.requirements import Operator
from analysis.requirements.cue_phrases import phrases_of
from language import Language
from language.fold import fold_in_place
from language.number_words import worded
from language.numbers import number_read

_MULTIPLIERS: Final = {"k": 1e3, "mil": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "millones": 1e6, "millon": 1e6}
_DIGITS: Final = re.compile(
    r"(?<![\w.,])(?P<sign>-\s?)?(?P<digits>\d{1,3}(?:[.,' ]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)?)"
    r"(?:\s?(?P<times>k|m|mil|thousand|million|millones|millon)(?!\w))?(?!\w|[.,]\d)"
    r"(?P<percent>\s?%| per ?cent\b| por cien(?:to)?\b)?"
)
_PERCENT: Final = re.compile(r" per ?cent\b| por cien(?:to)?\b")
_MONEY_BEFORE: Final = re.compile(r"[$€£]\s?$")
_MONEY_AFTER: Final = re.compile(r"\s?(?:[$€£]|(?:euros?|dollars?|dolares|pounds?|libras)\b)")
_SIGNS: Final[tuple[tuple[Operator, re.Pattern[str]], ...]] = (
    (">=", re.compile(r"(?:>=|=>|≥)\s*$")), ("<=", re.compile(r"(?:<=|=<|≤)\s*$")),
    ("!=", re.compile(r"(?:!=|<>|≠)\s*$")), (">", re.compile(r">\s*$")), ("<", re.compile(r"<\s*$")),
)  # fmt: skip
_BETWEEN: Final = re.compile(r"\s*(?:and|y|to|al?|-|–|hasta|through)\s*(?:\b(?:the|el|la|los|las)\s)?[$€£]?$")
_DASH: Final = re.compile(r"[-–]")
_OPENS: Final = re.compile(r"\b(?:between|from|entre|de|desde|ranging from)\s+(?:the |los |las |el |la )?[$€£]?$")
_FILLER: Final = r"\s*(?:the|a|an|los|las|el|la|un|una|of|del?|que|than|to|al?|mas|€|\$|£)?\s*$"
_AFTER: Final[dict[Operator, str]] = {
    ">=": r"\s*(?:[a-z%€]+\s+)?(?:or|o|y)\s+(?:more|over|above|older|higher|longer|greater|mas|mayor(?:es)?"
    r"|superior)\b|\s*\+",
    "<=": r"\s*(?:[a-z%€]+\s+)?(?:or|o|y)\s+(?:less|fewer|under|below|younger|lower|shorter|menos|menor(?:es)?"
    r"|inferior)\b",
}
_SMALLER: Final = re.compile(
    r"\b(?:less|fewer|younger|shorter|cheaper|smaller|lower|lighter|slower|earlier|nearer|colder|narrower|quicker|menos|menor(?:es)?|inferior(?:es)?)"
    r"\s+(?:\w+\s+)?(?:than|del?|que|al?)" + _FILLER
)
_OR_EQUAL: Final = r"\s+(?:than\s+)?(?:or|o|u)\s+(?:equal|igual(?:es)?)(?:\s+(?:to|than|a|al|que))?" + _FILLER
_BOUNDS: Final[tuple[tuple[Operator, re.Pattern[str]], ...]] = (
    ("<=", re.compile(r"\b(?:less|fewer|smaller|lower|menor(?:es)?|inferior(?:es)?)" + _OR_EQUAL)),
    (">=", re.compile(r"\b(?:more|greater|larger|higher|bigger|mayor(?:es)?|superior(?:es)?)" + _OR_EQUAL)),
)
_LARGER: Final = re.compile(
    r"\b(?:more|[a-z]{2,}er|mas|mayor(?:es)?|superior(?:es)?)\s+(?:\w+\s+)?(?:than|del?|que|al?)" + _FILLER
)


_COMPARED: Final[tuple[tuple[Operator, re.Pattern[str]], ...]] = (("<", _SMALLER), (">", _LARGER))


@dataclass(frozen=True, slots=True)
class Amount:
    """A number, or two for `between`, at characters `start` to `end`, the words of comparison with them; the digits
    alone are `number_start` to `number_end`. `op` is "=" where no words compare.
    """

    value: float
    start: int
    end: int
    number_start: int
    number_end: int
    op: Operator = "="
    high: float | None = None
    percent: bool = False


def amounts_of(text: str, language: Language) -> list[Amount]:
    """The numbers of a text in digits and in words, in order; two that are the ends of a range are one."""
    folded = fold_in_place(text)
    plain = sorted(_plain(text, folded, language), key=lambda amount: amount.start)
    return [_compared(amount, folded) for amount in _ranges(plain, folded)]


def _plain(text: str, folded: str, language: Language) -> Iterator[Amount]:
    taken: list[tuple[int, int]] = []
    for match in _DIGITS.finditer(folded):
        is_money = _MONEY_BEFORE.search(folded, 0, match.start()) or _MONEY_AFTER.match(folded, match.end())
        number = number_read(match["digits"], language, money=bool(is_money))
        if number is None:
            continue
        value = float(number) * _MULTIPLIERS.get(match["times"] or "", 1) * (-1 if match["sign"] else 1)
        taken.append(match.span())
        yield Amount(value, match.start(), match.end(), match.start(), match.end(), percent=bool(match["percent"]))
    for word in worded(text):
        is_free = all(word.end <= start or end <= word.start for start, end in taken)
        is_percent = word.percent or bool(_PERCENT.match(folded, word.end))
        if is_free and word.value.denominator == 1:  # "media" and "half" are hardly ever numbers here
            yield Amount(float(word.value), word.start, word.end, word.start, word.end, percent=is_percent)


def _ranges(amounts: Sequence[Amount], folded: str) -> list[Amount]:
    """Two numbers after "between" are one, whichever is first; so are "5-10" and the ends of "from 5 to 10"."""
    joined: list[Amount] = []
    for amount in amounts:
        first = joined[-1] if joined else None
        between = folded[first.end : amount.start] if first and first.high is None else ""
        opening = _OPENS.search(folded, 0, first.start) if first and _BETWEEN.fullmatch(between) else None
        if first and (opening or (_DASH.fullmatch(between) and first.value < amount.value)):
            low, high = sorted((first.value, amount.value))
            start = opening.start() if opening else first.start
            percent = first.percent or amount.percent
            joined[-1] = replace(
                first, op="between", value=low, high=high, start=start, end=amount.end, number_end=amount.number_end,
                percent=percent,
            )  # fmt: skip
            continue
        joined.append(amount)
    return joined


def _compared(amount: Amount, folded: str) -> Amount:
    """With the operator that the words around it name."""
    if amount.op == "between":
        return amount
    for op, pattern in _AFTER.items():
        if match := re.match(pattern, folded[amount.end :]):
            return replace(amount, op=op, end=amount.end + match.end())
    before = folded[: amount.start]
    for op, words in (*_SIGNS, *_BOUNDS, *_before_patterns(), *_COMPARED):
        if match := words.search(before):
            return replace(amount, op=op, start=match.start())
    return amount


@cache
def _before_patterns() -> tuple[tuple[Operator, re.Pattern[str]], ...]:
    """The phrases of `data/cues.yaml` that stand before a number, the longest first."""
    ops: tuple[Operator, ...] = (">=", "<=", ">", "<", "!=")
    phrases = sorted(((phrase, op) for op in ops for phrase in phrases_of(f"op:{op}")), key=lambda pair: -len(pair[0]))
    return tuple((op, re.compile(rf"(?<!\w){re.escape(phrase)}(?!\w){_FILLER}")) for phrase, op in phrases)
