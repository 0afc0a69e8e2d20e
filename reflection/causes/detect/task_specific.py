"""Conditions that are of one task alone: its sum, date, place, choice. They bind no other task."""

import re
from collections.abc import Iterator
from typing import Final

from planning.criteria import CriterionKind, CriterionParse, ValueType
from planning.experience import normalised, stems
from reflection.causes.detect.checks import parse_of
from reflection.causes.detect.groups import group_of
from reflection.causes.detect.reading import Case
from reflection.causes.texts import cues, data_read

_TASK_READ: Final = 2_000
_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?:[^\W\d_]{0,3}[$€£¥])?(\d{1,3}(?: \d{3})+|\d{1,12}(?:[.,]\d{1,6}){0,4})[ ]?([^\W\d_]*|%)"
)
_THOUSANDS: Final = re.compile(r"\d{1,3}(?:([., ])\d{3})(?:\1\d{3})*(?:[.,]\d{1,2})?")
_MANY: Final = {"k": 1e3, "mil": 1e3, "thousand": 1e3, "million": 1e6, "millones": 1e6, "m": 1e6}
_UNITS: Final = (60.0, 1_000.0, 24.0, 7.0, 3_600.0)
"""How many of a smaller unit make a larger one: what the task says in hours, a criterion may say in minutes."""
_ARTICLES: Final = frozenset(("una", "uno", "one"))
_CLOCK: Final = frozenset(("am", "pm"))


def is_task_specific(case: Case, condition: str) -> bool:
    """Whether the value of a condition is named by the task. Dates always count: none is of a type of task."""
    parse = parse_of(condition)
    if parse is None or parse.kind is CriterionKind.VERDICT:
        return False
    if parse.value_type is ValueType.DATE:
        return True
    task = case.plan.task[:_TASK_READ]
    if parse.kind in (CriterionKind.PRESENCE, CriterionKind.ABSENCE):
        words = set(stems(parse.field.replace("_", " ")))
        return bool(words) and words <= set(stems(task))
    return any(_says(task, value, parse) for value in _values(parse))


def _values(parse: CriterionParse) -> Iterator[object]:
    for value in (parse.value, parse.low, parse.high, *parse.options):
        if isinstance(value, list | tuple | set | frozenset):
            yield from value
        elif value is not None and not isinstance(value, bool):
            yield value


def _says(task: str, value: object, parse: CriterionParse) -> bool:
    if isinstance(value, int | float):
        return any(_is_same(number, float(value), parse) for number, noun in _numbers(task) if _fits(noun, parse))
    text = normalised(str(value)).strip()
    return len(text) > 1 and re.search(rf"(?<!\w){re.escape(text)}(?!\w)", normalised(task)) is not None


def _is_same(number: float, value: float, parse: CriterionParse) -> bool:
    factors = [1.0]
    if parse.value_type is ValueType.PERCENT or 0 < value <= 1:
        factors += [100.0]
    if parse.unit:
        factors += _UNITS
    return any(
        abs(number - other) <= 1e-6 * max(1.0, abs(number))
        for factor in factors
        for other in (value * factor, value / factor)
    )


def _numbers(task: str) -> Iterator[tuple[float, str]]:
    """Every number of the task, in each way it can be read, with the word after it."""
    for match in _NUMBER.finditer(normalised(task)):
        for number in _readings(match[1]):
            yield number * _MANY.get(match[2], 1.0), "" if match[2] in _MANY else match[2]
    numbers: dict[str, int] = data_read("words.json")["numbers"]
    words = re.findall(r"[^\W_]+", normalised(task))
    for word, noun in zip(words, [*words[1:], ""], strict=True):
        if word in numbers and word not in _ARTICLES:
            yield float(numbers[word]), noun


def _readings(text: str) -> Iterator[float]:
    if _THOUSANDS.fullmatch(text):
        yield float(re.sub(r"[., ](?=\d{3}(?!\d))", "", text).replace(",", "."))
    if len(re.findall(r"[., ]", text)) < 2 and " " not in text:
        yield float(text.replace(",", "."))


def _fits(noun: str, parse: CriterionParse) -> bool:
    """Whether the number can be of the field: "7 nights" says nothing of a quality of 7."""
    name = normalised(parse.field.replace("_", " "))
    if parse.unit or not noun or set(stems(noun)) & set(stems(name)):
        return True
    counted = cues("facts of a task").fullmatch(noun) is not None or noun in _CLOCK
    group = group_of(noun)
    return not counted and (not group or group == group_of(name))
