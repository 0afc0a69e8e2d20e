"""Periods of time that a question names: days, months, quarters, halves, years, and ranges of them."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Final, Literal

from analysis.requirements.period_forms import days_written
from language.fold import fold_in_place

Edge = Literal["in", "from", "after", "until", "before"]
_EDGES: Final[dict[Edge, str]] = {
    "from": r"since|from|starting(?: in| on)?|as of|on or after|from|desde|a partir del?|a contar desde|de",
    "after": r"after|later than|despues del?|posterior(?:es)? a(?: la| el)?|tras",
    "until": r"until|till|up to|through|by the end of|hasta(?: el| la| finales de)?",
    "before": r"before|prior to|earlier than|antes del?|anterior(?:es)? al?",
}
_FILLER: Final = (
    r"(?:\s+(?:the|el|la|los|las|start of|beginning of|end of|year|ano|mes de|month of"
    r"|principios de|comienzos de|inicio de))*\s+$"
)
_TO: Final = re.compile(
    r"\s*[-–]\s*|\s*(?:to|through|until|till|and|a|al|hasta|y)\s+(?:el |la |los |finales de |the end of )?$"
)
_JOINS: Final = ("-", "–", "to", "through", "until", "till", "hasta", "a", "al")
_FROM: Final = re.compile(r"\b(?:from|between|since|de|del|desde|entre)\s+(?:el |la |los |the )?$")
_BEFORE_MAY: Final = re.compile(
    r"\b(?:in|during|of|since|until|before|after|for|from|to|through|by|and|between|last|this|every)\s+$"
)


@dataclass(frozen=True, slots=True)
class Period:
    """From the first day to the last, both included, at characters `start` to `end` of the question.

    A `month` (1 to 12) or a day of one without a year has `year` None: then `low` and `high` are of the year 2000.
    `edge` says which side of it is meant.
    """

    low: date
    high: date
    start: int
    end: int
    year: int | None
    edge: Edge = "in"

    def of_year(self, year: int) -> "Period":
        """The same days in another year."""
        shift = year - self.low.year
        return replace(
            self, low=_of_year(self.low, self.low.year + shift), high=_of_year(self.high, self.high.year + shift),
            year=year,
        )  # fmt: skip


def periods_of(text: str) -> list[Period]:
    """The periods in a text, in order; ranges ("from May to July 2023") are one, with the word before them read."""
    folded = fold_in_place(text)
    single = list(_single(folded, text))
    return [_with_edge(period, folded, is_range=period not in single) for period in _joined(single, folded)]


def _single(folded: str, text: str) -> Iterator[Period]:
    for days, start, end in days_written(folded):
        if not _is_verb(text[start:end], folded[:start]):
            yield Period(days.low, days.high, start, end, days.year)


def _is_verb(word: str, before: str) -> bool:
    """Whether what seems a month is another word: "may we", "a mar abierto"; "in may" is one."""
    return word in ("may", "mar", "ene", "ago", "set") and not (word == "may" and _BEFORE_MAY.search(before))


def _of_year(day: date, year: int) -> date:
    """29 February is the 28th where there is none."""
    try:
        return day.replace(year=year)
    except ValueError:
        return day.replace(year=year, day=28)


def _joined(periods: list[Period], folded: str) -> list[Period]:
    """Two periods with "to" between and "from" before are one; a year that the first lacks is that of the second."""
    joined: list[Period] = []
    for period in periods:
        before = joined[-1] if joined else None
        if before and _is_range(before, period, folded):
            if before.year is None and period.year is not None:
                before = before.of_year(
                    period.low.year if _of_year(before.low, period.low.year) <= period.low else period.low.year - 1
                )
            if before.low <= period.high and before.low <= period.low:
                joined[-1] = replace(before, high=period.high, end=period.end, year=before.year or period.year)
                continue
        joined.append(period)
    return joined


def _is_range(first: Period, second: Period, folded: str) -> bool:
    between = folded[first.end : second.start]
    if not _TO.fullmatch(between):
        return False
    if first.year is None and between.strip() in ("and", "y") and _is_next_month(first, second):
        return True
    return bool(_FROM.search(folded[: first.start])) or between.strip() in _JOINS


def _is_next_month(first: Period, second: Period) -> bool:
    """Whether two are months one after the other: "febrero y marzo"."""
    is_month = first.low.day == second.low.day == 1 and first.low.month == first.high.month
    return is_month and first.low.month + 1 == second.low.month


def _with_edge(period: Period, folded: str, *, is_range: bool) -> Period:
    """With the side that the words before it name; those before a range ("desde 2019 hasta 2021") only open it."""
    before = folded[: period.start]
    for edge, words in _EDGES.items():
        match = re.search(rf"\b(?:{words}){_FILLER}", before)
        if match and not (
            edge == "from" and match[0].split()[0] in ("de", "from") and not _leads_on(folded[period.end :])
        ):
            return replace(period, edge="in" if is_range and edge == "from" else edge, start=match.start())
    return period


def _leads_on(after: str) -> bool:
    """Whether "from" or "de" before a period opens a range without end: "from 2020 on", "de 2020 en adelante"."""
    return bool(re.match(r"\s*(?:on(?:wards?)?\b|onwards|en adelante|forward)", after))
