"""Criteria that the task itself sets: its sum, nights, dates, people, place, what it wants and what it does not."""

import re
from collections.abc import Iterator
from typing import Final

from language.fold import fold
from planning.templates.files import Template
from planning.understanding.contracts import TaskReading
from planning.understanding.phrases.items import is_known_place

_AMOUNT: Final = re.compile(r"(?:(<=|<|>=|>|~) )?(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))? ([A-Z]{3})(?:/(\w+))?")
_COUNT: Final = re.compile(r"(?:(<=|<|>=|>|~) )?(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?))? (\w+)")
_DATE: Final = re.compile(r"(?:(before|after|from|to|until) )?((?:\d{4}-)?\d{2}-\d{2})")
_TIME: Final = re.compile(r"(?:(before|after|from|to|until) )?(\d{2}:\d{2})")
_SIGNS: Final = {"USD": "$", "EUR": "€", "GBP": "£"}
_MONTH_NAMES: Final = {
    "en": "January February March April May June July August September October November December",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
}
_PER: Final = {
    "en": {"night": "per night", "day": "per day", "week": "per week", "month": "per month", "year": "per year",
           "person": "per person", "adult": "per adult", "hour": "per hour", "ticket": "per ticket"},
    "es": {"night": "por noche", "day": "por día", "week": "por semana", "month": "al mes", "year": "al año",
           "person": "por persona", "adult": "por adulto", "hour": "por hora", "ticket": "por entrada"},
}  # fmt: skip
_BETWEEN: Final = {"en": ("between", "and"), "es": ("entre", "y")}
HAS: Final = {"en": "has", "es": "tiene"}
NO: Final = {"en": "No", "es": "Sin"}
_LIST: Final = re.compile(r"\s*,\s*(?:and |y |e |or |o )?|\s+(?:and|y|e|or|o|ni|nor)\s+", re.IGNORECASE)
_ARTICLE: Final = re.compile(r"^(?:an?|the|some|any|un|una|unos|unas|el|la|los|las)\s+", re.IGNORECASE)
_BEARING: Final = {"before": "<=", "until": "<=", "after": ">=", "": "=="}
_OF_PEOPLE: Final = frozenset({"person", "people", "adult", "child", "guest", "friend", "kid", "baby", "passenger"})


def task_criteria(reading: TaskReading, template: Template) -> Iterator[str]:
    names = {fact: wording.of(reading.language)[0] for fact, wording in template.facts.items()}
    yield from _place(reading, names)
    yield from _days(reading, names)
    yield from _moment(reading, names)
    yield from _lengths(reading, names)
    yield from _people(reading, names)
    yield from _sums(reading, names)
    yield from _features(reading, template)


def _place(reading: TaskReading, names: dict[str, str]) -> Iterator[str]:
    for fact, slot in (("origin", "origin"), ("place", "place"), ("city", "place")):
        value = reading.phrases.get(slot)
        if value and fact in names and "," not in value and (fact != "city" or is_known_place(value, reading.language)):
            yield f"{names[fact]} == {value}"


def _days(reading: TaskReading, names: dict[str, str]) -> Iterator[str]:
    matches = [match for value in reading.facts.dates if (match := _DATE.fullmatch(value))]
    if not matches or "date" not in names:
        return
    first, last = matches[0], matches[1] if len(matches) > 1 else None
    if last is not None and "end" in names:
        yield f"{names['date']} == {_day(first[2], reading.language)}"
        yield f"{names['end']} == {_day(last[2], reading.language)}"
    elif last is not None:
        low, joins = _BETWEEN[reading.language]
        days = [_day(match[2], reading.language) for match in (first, last)]
        yield f"{names['date']} {low} {days[0]} {joins} {days[1]}"
    else:
        yield f"{names['date']} {_BEARING.get(first[1] or '', '==')} {_day(first[2], reading.language)}"


def _day(value: str, language: str) -> str:
    """2026-12-15 as it is, 12-15 as people write it."""
    if len(value) > 5:
        return value
    month, day = _MONTH_NAMES[language].split()[int(value[:2]) - 1], int(value[3:])
    return f"{day} de {month}" if language == "es" else f"{month} {day}"


def _moment(reading: TaskReading, names: dict[str, str]) -> Iterator[str]:
    matches = [match for value in reading.facts.dates if (match := _TIME.fullmatch(value))]
    if matches and "time" in names and len(matches) == 1:
        yield f"{names['time']} {_BEARING.get(matches[0][1] or '', '==')} {matches[0][2]}"


def _lengths(reading: TaskReading, names: dict[str, str]) -> Iterator[str]:
    for value in reading.facts.durations:
        match = _COUNT.fullmatch(value)
        if match and match[4] in names:
            yield from compared(names[match[4]], match[1], match[2], match[3], reading.language, plain="==")


def _people(reading: TaskReading, names: dict[str, str]) -> Iterator[str]:
    matches = [match for value in reading.facts.quantities if (match := _COUNT.fullmatch(value))]
    counted = [match for match in matches if match[4] in _OF_PEOPLE]
    if not counted or "people" not in names:
        return
    if len(counted) > 1 and not any(match[1] or match[3] for match in counted):
        yield from compared(
            names["people"],
            None,
            str(sum(int(float(match[2])) for match in counted)),
            None,
            reading.language,
            plain="==",
        )
    else:
        match = counted[0]
        yield from compared(names["people"], match[1], match[2], match[3], reading.language, plain="==")


def _sums(reading: TaskReading, names: dict[str, str]) -> Iterator[str]:
    for fact, plain in (("pay", "=="), ("save", ">="), ("amount", "<=")):
        if fact not in names:
            continue
        for value in reading.facts.amounts:
            match = _AMOUNT.fullmatch(value)
            if match:
                per = _PER[reading.language].get(match[5] or "")
                field = f"{names[fact]} {per}" if per and per.split()[-1] not in names[fact] else names[fact]
                low, high = (money_text(end, match[4], reading.language) if end else None for end in match.group(2, 3))
                yield from compared(field, match[1], str(low), high, reading.language, plain=plain)
                return


def money_text(value: float | str, currency: str | None, language: str) -> str:
    """$200, 200 €; the number alone where no currency is said."""
    sign = _SIGNS.get(currency or "")
    if not currency:
        return str(value)
    if language == "es":
        return f"{value} {sign or currency}"
    return f"{sign}{value}" if sign else f"{value} {currency}"


def compared(field: str, sign: str | None, low: str, high: str | None, language: str, *, plain: str) -> Iterator[str]:
    """The criterion for a figure with a sign, a range up to `high`, or `plain`; none for "about"."""
    name = field.removesuffix(" >=")
    if high:
        between, joins = _BETWEEN[language]
        yield f"{name} {between} {low} {joins} {high}"
    elif sign != "~":
        yield f"{name} {sign or (plain if name == field else '>=')} {low}"


def _features(reading: TaskReading, template: Template) -> Iterator[str]:
    subject = template.subject.of(reading.language)[0]
    for thing in _listed(reading.phrases.get("with", "")) if template.features else ():
        yield f"{subject} {HAS[reading.language]} {thing}"
    for thing in _listed(reading.phrases.get("without", "")):
        yield f"{NO[reading.language]} {thing}"


def _listed(value: str) -> list[str]:
    """The things of "a pool, free wifi and parking", without their articles."""
    parts = [_ARTICLE.sub("", part).strip() for part in _LIST.split(value)]
    return [part for part in parts if 1 < len(part) <= 60 and not fold(part).isdigit()]
