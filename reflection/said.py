"""A reflection in what a model said: a JSON object, which may stand in a code fence or between words."""

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from gateway.passed_models import NoSense
from planning.learning import speaks_to_a_model
from reflection.contracts import Author, Reflection
from reflection.discretion import lists
from reflection.failure import Failure
from reflection.said_held import said_faults

__all__ = ("reflection_about", "reflection_said", "said_faults")

TEXT_AT_MOST, LINE_AT_MOST, LINES_AT_MOST = 10_000, 500, 20
"""Characters of the analysis and of the learning; of a pattern or an adjustment, and how many of these."""
_READ, _TRIES = 100_000, 40
_TEXTS: Final = ("analysis", "learning")
_LISTS: Final = ("patterns_identified", "strategy_adjustments")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})


def reflection_said(text: str) -> Reflection:
    """The reflection; fields that are not there are empty. A list may be one string, numbers stand for their text.

    Of several objects the one with the most fields counts, then the last. Raises `NoSense` for what is no reflection,
    is too long, has markup, addresses or signs that do not show, or speaks to a model.
    """
    shapes = [shape for shape in map(_shape, _objects(text)) if shape]
    if not shapes:
        raise NoSense("there is no JSON object with the fields of a reflection")
    shape = max(reversed(shapes), key=len)
    values = {name: _text(name, shape.get(name)) for name in _TEXTS}
    lines = {name: _lines(name, shape.get(name)) for name in _LISTS}
    said = [*values.values(), *(line for each in lines.values() for line in each)]
    if not any(said):
        raise NoSense("every field is empty")
    _check(said)
    return Reflection(
        analysis=values["analysis"],
        patterns_identified=lines["patterns_identified"],
        strategy_adjustments=lines["strategy_adjustments"],
        learning=values["learning"],
    )


def reflection_about(said: Reflection, failure: Failure) -> Reflection:
    """What was said, with what it is about."""
    plan = failure.plan
    return said.replaced(
        task=plan.task,
        task_type=failure.domain,
        language=failure.language,
        evaluation_id=failure.evaluation.id,
        plan_id=plan.id,
        user_id=plan.user_id,
        author=Author.MODEL,
    )


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """JSON objects as they stand, not those inside of others."""
    text = text[:_READ]
    decoder, place = json.JSONDecoder(strict=False), text.find("{")
    for _ in range(_TRIES):
        if place < 0:
            return
        try:
            found, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield found
        place = text.find("{", end)


def _shape(found: dict[str, Any]) -> dict[str, Any]:
    """The fields of a reflection in an object, or in the one object that it holds; empty without any."""
    names = (*_TEXTS, *_LISTS)
    if not any(name in found for name in names):
        inner = [one for one in found.values() if isinstance(one, dict)]
        found = inner[0] if len(inner) == 1 else {}
    return {name: found[name] for name in names if found.get(name) not in (None, "", [])}


def _text(name: str, value: Any) -> str:
    """A text; of a list of texts one after the other."""
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        value = " ".join(value[: LINES_AT_MOST * 2])
    said = _plain(name, value)
    if len(said) > TEXT_AT_MOST:
        raise NoSense(f"{name} has more than {TEXT_AT_MOST} characters")
    return said


def _lines(name: str, value: Any) -> list[str]:
    """A list of texts; of objects in it the longest text of each."""
    given = value if isinstance(value, list) else [value]
    if len(given) > LINES_AT_MOST:
        raise NoSense(f"{name} has more than {LINES_AT_MOST} entries")
    lines = [_plain(name, _longest(one) if isinstance(one, dict) else one) for one in given]
    if any(len(line) > LINE_AT_MOST for line in lines):
        raise NoSense(f"{name} has an entry of more than {LINE_AT_MOST} characters")
    return list(dict.fromkeys(line for line in lines if line))


def _longest(one: dict[str, Any]) -> Any:
    return max((value for value in one.values() if isinstance(value, str)), key=len, default=one)


def _plain(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise NoSense(f"{name} is of the type {type(value).__name__}")
    return " ".join(str(value).split())


def _check(said: list[str]) -> None:
    """Whether it is plain prose that speaks of a failure. Raises `NoSense`."""
    for text in said:
        if any(unicodedata.category(one) in _INVISIBLE for one in text):
            raise NoSense("it has signs that do not show")
        if _strange().search(text):
            raise NoSense("it has markup or addresses")
    if any(speaks_to_a_model(text) for text in said) or speaks_to_a_model(" ".join(said)):
        raise NoSense("it speaks to a model and not of a failure")


@cache
def _strange() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{_scoped(one)})" for one in lists()["strange"]))


def _scoped(pattern: str) -> str:
    """With the flag at its beginning for this one alone."""
    return f"(?i:{pattern.removeprefix('(?i)')})" if pattern.startswith("(?i)") else pattern
