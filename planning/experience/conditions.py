"""Conditions as the grammar of criteria reads them: turned round, compared, worded; amounts in them, moved."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from memory.contracts import Adjustment
from planning.criteria import (
    BOUNDS,
    LOWER_BOUNDS,
    OPPOSITES,
    CriterionKind,
    CriterionParse,
    Operator,
    ValueType,
    criterion_parse,
)
from planning.experience.fields import field_key
from planning.experience.words import stems

_SYMBOL: Final = re.compile(r" (>=|<=|>|<|==|!=) ")
_SPACES: Final = re.compile(r"\s*(>=|<=|==|!=|>|<)\s*")
_ABSENT: Final = {"en": ("no {}", "without {}"), "es": ("sin {}", "no {}")}
_PRESENT: Final = {"en": "has {}", "es": "tiene {}"}
TEXT_AT_MOST: Final = 200


@dataclass(frozen=True)
class Bound:
    """One side of a comparison: `side` "low" is a least value. Those of one field can be held against each other where
    unit, currency and scale are the same, or one of them does not say.
    """

    field: str
    side: str
    value: float | str
    exclusive: bool
    unit: str | None
    currency: str | None
    scale: float | None

    def alike(self, other: "Bound") -> bool:
        """Whether both are of the same field and in the same measure."""
        return (
            self.field == other.field
            and isinstance(self.value, str) == isinstance(other.value, str)
            and (self.unit == other.unit or None in (self.unit, other.unit))
            and (self.currency == other.currency or None in (self.currency, other.currency))
            and (self.scale == other.scale or None in (self.scale, other.scale))
        )

    def at_least_as_strict(self, other: "Bound") -> bool:
        if not self.alike(other) or self.side != other.side:
            return False
        if self.value == other.value:
            return self.exclusive or not other.exclusive
        above = self.value > other.value  # type: ignore[operator]
        return above if self.side == "low" else not above

    def excludes(self, other: "Bound") -> bool:
        if not self.alike(other) or self.side == other.side:
            return False
        low, high = (self, other) if self.side == "low" else (other, self)
        if low.value == high.value:
            return low.exclusive or high.exclusive
        return bool(low.value > high.value)  # type: ignore[operator]


def bound_of(parse: CriterionParse | None) -> Bound | None:
    """The bound that a comparison sets; None for whatever else."""
    if parse is None or parse.kind != CriterionKind.COMPARISON or parse.operator not in BOUNDS:
        return None
    if parse.value is None or isinstance(parse.value, bool):
        return None
    return Bound(
        field=field_key(parse.field),
        side="low" if parse.operator in LOWER_BOUNDS else "high",
        value=parse.value if isinstance(parse.value, str) else float(parse.value),
        exclusive=parse.operator in (Operator.MORE_THAN, Operator.LESS_THAN),
        unit=parse.unit,
        currency=parse.currency,
        scale=parse.scale,
    )


def parsed(text: str) -> CriterionParse | None:
    """What the grammar makes of a condition; None for one that is too long, or that asks the user."""
    if not text.strip() or len(text) > TEXT_AT_MOST:
        return None
    parse = criterion_parse(text.strip())
    return None if parse is None or parse.kind == CriterionKind.VERDICT else parse


def said(parse: CriterionParse) -> str:
    """The condition in words that read as the same condition again: its normal form, with what that leaves out (a
    currency, that it is a share), or "has pool".
    """
    return next((text for text in _ways_to_say(parse) if _is_read_as(text, parse)), parse.normal)


def _ways_to_say(parse: CriterionParse) -> Iterator[str]:
    if parse.kind == CriterionKind.PRESENCE:
        yield _PRESENT.get(parse.language, _PRESENT["en"]).format(parse.normal)
    elif parse.currency:
        yield f"{parse.normal} {parse.currency}"
    elif parse.value_type == ValueType.PERCENT and isinstance(parse.value, int | float):
        share = f"{parse.value * 100:.4f}".rstrip("0").rstrip(".")
        yield f"{_SYMBOL.split(parse.normal)[0]} {parse.operator.value} {share} %"
    yield parse.normal
    if parse.unit not in (None, "star") and isinstance(parse.value, int | float):
        for unit in (f"{parse.unit}s", parse.unit):
            yield f"{_SYMBOL.split(parse.normal)[0]} {parse.operator.value} {parse.value:g} {unit}"


def _is_read_as(text: str, parse: CriterionParse) -> bool:
    again = parsed(text)
    return again is not None and again.model_copy(update={"subject": parse.subject, "count": parse.count}) == parse


def negated(parse: CriterionParse) -> CriterionParse | None:
    """The condition that holds where this one does not; None where there is none that the grammar reads."""
    if parse.kind in (CriterionKind.COMPARISON, CriterionKind.EQUALITY):
        text = said(parse)
        match = _SYMBOL.search(text)
        if match is None:
            return None
        other = OPPOSITES[Operator(match[1])]
        turned = _SYMBOL.sub(f" {other} ", text, count=1)
        return parsed(turned) or parse.model_copy(update={"operator": other, "normal": turned})
    if parse.kind == CriterionKind.PRESENCE and not parse.options:
        return absence_of(parse.normal, parse.language)
    if parse.kind == CriterionKind.ABSENCE and not parse.options:
        return presence_of(parse.field.replace("_", " "), parse.language)
    return None


def absence_of(thing: str, language: str) -> CriterionParse | None:
    """The condition "no hostels", where the grammar reads it as that."""
    return next(filter(None, (_of_kind(form.format(thing), CriterionKind.ABSENCE) for form in _ABSENT[language])), None)


def absence_said(thing: str, language: str) -> str:
    """The words "no hostels", whether the grammar reads it or not."""
    return _ABSENT[language][0].format(thing)


def presence_of(thing: str, language: str) -> CriterionParse | None:
    """The condition "has pool", where the grammar reads it as that."""
    return _of_kind(_PRESENT[language].format(thing), CriterionKind.PRESENCE)


def _of_kind(text: str, kind: CriterionKind) -> CriterionParse | None:
    parse = parsed(text)
    return parse if parse is not None and parse.kind == kind else None


def condition_key(parse: CriterionParse) -> tuple[str, ...]:
    """What two conditions on the same thing have in common."""
    bound = bound_of(parse)
    if bound is not None:
        return ("bound", bound.field, bound.side)
    if parse.kind in (CriterionKind.PRESENCE, CriterionKind.ABSENCE):
        return ("thing", *stems(parse.field.replace("_", " ")))
    return ("condition", field_key(parse.field), parse.kind.value)


def covers(one: CriterionParse, other: CriterionParse) -> bool:
    """Whether `one` says at least what `other` says."""
    if one.normal == other.normal:
        return True
    mine, theirs = bound_of(one), bound_of(other)
    if mine is not None and theirs is not None:
        return mine.at_least_as_strict(theirs)
    return one.kind == other.kind and one.operator == other.operator and _same(one, other)


def _same(one: CriterionParse, other: CriterionParse) -> bool:
    alike = condition_key(one) == condition_key(other)
    return alike and (one.value, one.low, one.high, one.options) == (other.value, other.low, other.high, other.options)


def compact(text: str) -> str:
    """A condition without spaces about its symbol: "quality>=7"."""
    return _SPACES.sub(r"\1", text)


_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,9})?")
_AT_MOST: Final = 1e12


def moved(old: Any, adjustment: Adjustment, up: bool) -> Any:
    """The amount after the adjustment, in the form of the old one ("2 km" stays so): by its value where that is
    relative ("10 %" is of the old amount), else to it. None where there is no number, the units differ, or it would
    go the other way or out of all bounds.
    """
    before, after = _parts(old), _parts(adjustment.value)
    if before is None or after is None:
        return None
    (number, unit), (value, other) = before, after
    share = other == "%" and unit != "%"
    if not share and other and other != unit:
        return None
    if share and not adjustment.relative:
        return None
    change = number * value / 100 if share else value
    new = (number + change if up else number - change) if adjustment.relative else value
    if new == number or (new > number) != up or not math.isfinite(new) or abs(new) > _AT_MOST:
        return None
    if number >= 0 > new:
        return None
    rounded = round(new, 6)
    whole = int(rounded) if float(rounded).is_integer() else rounded
    return _NUMBER.sub(str(whole), old, count=1) if isinstance(old, str) else whole


def _parts(value: Any) -> tuple[float, str] | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return (float(value), "") if abs(value) <= _AT_MOST else None
    text = str(value).strip()
    match = _NUMBER.search(text)
    if match is None:
        return None
    return float(match[0]), (text[: match.start()] + text[match.end() :]).strip().lower()
