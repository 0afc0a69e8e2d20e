"""Days and times of day as texts that are in order, at the precision of what is wanted."""

from evaluation.contracts import Reason
from planning.grammar import Amount, CriterionParse, ValueType

from .span import Span, Unread
from .values import MOMENTS


def moment(amount: Amount, parse: CriterionParse) -> Span | Unread:
    """A day or a time of day, as the criterion wants it."""
    if amount.value_type not in MOMENTS:
        return Unread(Reason.WRONG_TYPE)
    low, high = (str(one) if one is not None else None for one in (amount.low, amount.high))
    if amount.value is not None:
        low = high = str(amount.value)
    span = _of_day(low, high, parse) if parse.value_type is ValueType.DATE else _of_time(low, high)
    return span or Unread(Reason.WRONG_TYPE)


def _of_time(low: str | None, high: str | None) -> Span | None:
    """Times of day as HH:MM; a day alone has none."""
    ends = [one.partition("T")[2] if "T" in one else one for one in (low, high) if one]
    if not ends or any("-" in one or not one for one in ends):
        return None
    ends = [one.rjust(5, "0")[:5] for one in ends]
    return Span(ends[0] if low else "00:00", ends[-1] if high else "99:99")


def _of_day(low: str | None, high: str | None, parse: CriterionParse) -> Span | None:
    """Days at the precision of what is wanted: without a year, or with a time of day."""
    wanted = str(next((one for one in (parse.value, parse.low, parse.high) if one is not None), ""))
    ends = [one for one in (low, high) if one]
    if not ends or any("-" not in one for one in ends):
        return None
    without_year = len(wanted.partition("T")[0]) == 5 or any(len(one.partition("T")[0]) == 5 for one in ends)
    if without_year and len(wanted.partition("T")[0]) != 5:
        return None  # "15 December" of no year against a day of 2026
    ends = [one[5:] if without_year and len(one.partition("T")[0]) == 10 else one for one in ends]
    spans = [_precise(one, "T" in wanted) for one in ends]
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
