"""Values of results as spans that compare with what a criterion wants, in its unit, currency and scale.

Days and times of day are texts that are in order.
"""

import math
from dataclasses import dataclass
from typing import Final

from evaluation.checking.lexicon import words
from evaluation.checking.naming import has_phrase, name_read
from evaluation.checking.values import MOMENTS, amount_of, is_missing, is_strict
from evaluation.checking.walk import Group, Listing, Node
from evaluation.checking.words import plain_text
from evaluation.contracts import Reason
from language.units import conversion
from planning.criteria import Amount, CriterionParse, ValueType

Point = float | str


@dataclass(frozen=True, slots=True)
class Span:
    """From `low` to `high`, the same for a value that is known. Numbers, or ISO texts in order.

    `open`: the ends themselves are left out ("over 200").
    """

    low: Point
    high: Point
    open: bool = False

    def scaled(self, factor: float) -> "Span":
        """A span of numbers, multiplied."""
        return Span(round(float(self.low) * factor, 12), round(float(self.high) * factor, 12), self.open)


@dataclass(frozen=True, slots=True)
class Unread:
    """A value that does not compare, and why."""

    reason: Reason


def moment(amount: Amount, parse: CriterionParse) -> Span | Unread:
    if amount.value_type not in MOMENTS:
        return Unread(Reason.WRONG_TYPE)
    low, high = (str(bound) if bound is not None else None for bound in (amount.low, amount.high))
    if amount.value is not None:
        low = high = str(amount.value)
    span = _of_day(low, high, parse) if parse.value_type is ValueType.DATE else _of_time(low, high)
    return span or Unread(Reason.WRONG_TYPE)


def _of_time(low: str | None, high: str | None) -> Span | None:
    """Times of day as HH:MM; a day alone has none."""
    ends = [end.partition("T")[2] if "T" in end else end for end in (low, high) if end]
    if not ends or any("-" in end or not end for end in ends):
        return None
    ends = [end.rjust(5, "0")[:5] for end in ends]
    return Span(ends[0] if low else "00:00", ends[-1] if high else "99:99")


def _of_day(low: str | None, high: str | None, parse: CriterionParse) -> Span | None:
    """Days at the precision of what is wanted: without a year, or with a time of day."""
    wanted = str(next((limit for limit in (parse.value, parse.low, parse.high) if limit is not None), ""))
    ends = [end for end in (low, high) if end]
    if not ends or any("-" not in end for end in ends):
        return None
    without_year = len(wanted.partition("T")[0]) == 5 or any(len(end.partition("T")[0]) == 5 for end in ends)
    if without_year and len(wanted.partition("T")[0]) != 5:
        return None  # "15 December" of no year against a day of 2026
    ends = [end[5:] if without_year and len(end.partition("T")[0]) == 10 else end for end in ends]
    spans = [_precise(end, "T" in wanted) for end in ends]
    return Span(spans[0].low if low else "", spans[-1].high if high else "~")


def _precise(day: str, with_time: bool) -> Span:
    if with_time and "T" not in day:
        return Span(f"{day}T00:00", f"{day}T23:59")
    return Span(day[:16], day[:16]) if with_time else Span(day.partition("T")[0], day.partition("T")[0])


def year(amount: Amount) -> Span | Unread:
    """A date against a plain number: its year, where it has one."""
    text = str(amount.value or "")
    if amount.value_type is ValueType.DATE and text[:4].isdigit() and text[4:5] == "-":
        return Span(float(text[:4]), float(text[:4]))
    return Unread(Reason.WRONG_TYPE)


_NOTHING: Final = frozenset({"none", "no", "zero", "ninguno", "ninguna", "cero", "nothing", "nada"})
_PER_CENT: Final = 100
_STARS: Final = 5
_TEN: Final = 10
_UNCOUNTED: Final = frozenset({None, "star", "item", "count"})
"""Units that say nothing of the size of a number."""


def span_of(node: Node, parse: CriterionParse) -> Span | Unread:
    """The value in the unit, currency and scale of what the criterion wants."""
    if (parse.count or stands_for_its_size(node, parse)) and (counted := _counted(node.value)) is not None:
        return Span(counted, counted)
    if is_missing(node.value):
        return Unread(Reason.DATA_MISSING)
    amount = amount_of(node, parse)
    if amount is None:
        return Unread(Reason.WRONG_TYPE)
    if parse.value_type in MOMENTS:
        return moment(amount, parse)
    if amount.value_type in MOMENTS:
        return year(amount)
    return _number(node, amount, parse)


def stands_for_its_size(node: Node, parse: CriterionParse) -> bool:
    """Whether a list is compared by how many it holds: a plain number is wanted, and none is in it."""
    if not isinstance(node.value, Listing) or not node.value.size or node.value.numbers:
        return False
    return parse.value_type is ValueType.NUMBER and not parse.unit


def _counted(value: object) -> float | None:
    """How many there are: a list is its length, "none" and False are zero."""
    if isinstance(value, (Listing, Group)):
        return float(value.size)
    if value is False or (isinstance(value, str) and plain_text(value[:20]).strip(" .") in _NOTHING):
        return 0.0
    return None


def _number(node: Node, amount: Amount, parse: CriterionParse) -> Span | Unread:
    if parse.currency and amount.currency and parse.currency != amount.currency:
        return Unread(Reason.UNIT_MISMATCH)
    if (parse.currency and amount.unit) or (parse.unit and amount.currency):
        return Unread(Reason.UNIT_MISMATCH)
    ends = _ends(amount, is_strict(node.value))
    if ends is None:
        return Unread(Reason.WRONG_TYPE)
    if parse.value_type is ValueType.PERCENT:
        return _share(node, ends, amount, parse)
    if amount.value_type is ValueType.PERCENT:
        return _percent_as_wanted(node, ends, parse)
    return _measured(node, ends, amount, parse)


def _ends(amount: Amount, strict: bool) -> Span | None:
    if amount.value is not None:
        value = _as_number(amount.value)
        return None if value is None else Span(value, value)
    low, high = _as_number(amount.low), _as_number(amount.high)
    if low is None and high is None:
        return None
    is_open = strict and (low is None or high is None)
    return Span(-math.inf if low is None else low, math.inf if high is None else high, is_open)


def _as_number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _limits(parse: CriterionParse) -> list[float]:
    return [number for limit in (parse.value, parse.low, parse.high) if (number := _as_number(limit)) is not None]


def _share(node: Node, ends: Span, amount: Amount, parse: CriterionParse) -> Span | Unread:
    """A share of 1. A number up to 1 is one, a larger one counts in hundredths; docs/checks.md has the reasons.

    Where the key says percent, a fraction below 1 may be either, and where a share may be over 1, so may 1 to 10.
    """
    if amount.value_type is ValueType.PERCENT:
        is_written = isinstance(node.value, str)
        if is_written or float(ends.high) > 1 or float(ends.low) == 0:
            return ends if is_written else ends.scaled(1 / _PER_CENT)
        return Span(float(ends.low) / _PER_CENT, ends.high)
    if amount.scale:
        return ends.scaled(1 / amount.scale)
    if amount.unit or amount.currency:
        return Unread(Reason.UNIT_MISMATCH)
    if float(ends.high) <= 1:
        return ends
    if max(_limits(parse), default=0.0) > 1 and float(ends.high) <= 10:
        return Span(float(ends.low) / _PER_CENT, ends.high)
    return ends.scaled(1 / _PER_CENT)


def _percent_as_wanted(node: Node, ends: Span, parse: CriterionParse) -> Span | Unread:
    """A percentage against a plain number: "accuracy >= 0.7" wants a share, "accuracy >= 70" hundredths."""
    if parse.unit or parse.currency:
        return Unread(Reason.UNIT_MISMATCH)
    if 1 < max(map(abs, _limits(parse)), default=0.0) <= _TEN and not _is_share_name(node):
        return Unread(Reason.UNIT_MISMATCH)  # "80%" of a rating of 4: nobody says of how many
    share = ends if isinstance(node.value, str) else ends.scaled(1 / _PER_CENT)
    if not isinstance(node.value, str) and float(ends.high) <= 1 and float(ends.low) > 0:
        share = ends
    return share if _wants_share(parse) else share.scaled(_PER_CENT)


def _measured(node: Node, ends: Span, amount: Amount, parse: CriterionParse) -> Span | Unread:
    if amount.scale and not amount.unit:
        return _rated(ends, amount.scale, parse)
    unit, wanted = _unit(amount.unit), _unit(parse.unit)
    if wanted and unit and unit != wanted:
        return _converted(ends, unit, wanted)
    if not unit and not amount.currency and _is_share_name(node):
        if _wants_share(parse) and 1 < float(ends.low) <= _PER_CENT:
            return ends.scaled(1 / _PER_CENT)
        if not _wants_share(parse) and isinstance(node.value, float) and 0 < float(ends.high) < 1:
            return ends.scaled(_PER_CENT)
    return ends


def _converted(ends: Span, unit: str, wanted: str) -> Span | Unread:
    convert = conversion(unit, wanted)
    if convert is None:
        return Unread(Reason.UNIT_MISMATCH)
    return Span(convert(float(ends.low)), convert(float(ends.high)), ends.open)


def _rated(ends: Span, scale: float, parse: CriterionParse) -> Span | Unread:
    """8 of "8/10" against 7; "4/5" against 7 is on another scale, unless the criterion says which one it means."""
    if parse.scale:
        return ends.scaled(parse.scale / scale)
    if _wants_share(parse):
        return ends.scaled(1 / scale)
    highest = max(_limits(parse), default=0.0)
    if scale > _STARS >= highest > 1:  # "4" may be of 5 or of 10: "9/10" is at least that much of either
        return Span(float(ends.low) * _STARS / scale, ends.high, ends.open)
    return Unread(Reason.UNIT_MISMATCH) if highest > scale else ends


def _wants_share(parse: CriterionParse) -> bool:
    """Whether the criterion counts in shares of 1: 0.7, not 70, and not just 1."""
    limits = [abs(limit) for limit in _limits(parse)]
    return bool(limits) and max(limits) <= 1 and any(limits) and not parse.count and limits != [1.0]


def _is_share_name(node: Node) -> bool:
    return has_phrase(name_read(node.name), words().shares)


def _unit(unit: str | None) -> str:
    return "" if unit in _UNCOUNTED else str(unit)
