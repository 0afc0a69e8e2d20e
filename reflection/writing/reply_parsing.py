"""A reflection in the reply of a model: a JSON object, perhaps in a code fence or between words."""

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from gateway.client.passed_models import NoSense
from planning.experience import speaks_to_a_model
from reflection.contracts import Author, Reflection
from reflection.contracts.failure import Failure
from reflection.quality.adjustments import adjustments_read
from reflection.redaction import lists

TEXT_AT_MOST, LINE_AT_MOST, LINES_AT_MOST = 10_000, 500, 20
"""Characters of the analysis and of the learning; of a pattern or an adjustment, and how many of these."""
_READ, _TRIES = 100_000, 40
_TEXTS: Final = ("analysis", "learning")
_LISTS: Final = ("patterns_identified", "strategy_adjustments")
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})


def reflection_parse(text: str) -> Reflection:
    """The reflection; missing fields are empty. A list may be one string, numbers count as their text.

    Of several objects the one with the most fields counts, then the last. Raises `NoSense` for what is no reflection,
    is too long, has markup, addresses or signs that do not show, or speaks to a model.
    """
    shapes = [shape for shape in map(_shape, _objects(text)) if shape]
    if not shapes:
        raise NoSense("there is no JSON object with the fields of a reflection")
    shape = max(reversed(shapes), key=len)
    values = {name: _text(name, shape.get(name)) for name in _TEXTS}
    lines = {name: _lines(name, shape.get(name)) for name in _LISTS}
    texts = [*values.values(), *(line for each in lines.values() for line in each)]
    if not any(texts):
        raise NoSense("every field is empty")
    _check(texts)
    return Reflection.model_validate({**values, **lines})


def reflection_attributed(written: Reflection, failure: Failure) -> Reflection:
    """What a model wrote, with the failure that it is about, and its adjustments read."""
    adjustments = adjustments_read(written.strategy_adjustments)
    return written.replaced(adjustments=adjustments, author=Author.MODEL, **failure.attribution)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of the text, not those inside of others."""
    text = text[:_READ]
    decoder, place = json.JSONDecoder(strict=False), text.find("{")
    for _ in range(_TRIES):
        if place < 0:
            return
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            end = place + 1
        else:
            yield value
        place = text.find("{", end)


def _shape(fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of a reflection in an object, or in the one object that it holds; empty without any."""
    names = (*_TEXTS, *_LISTS)
    if not any(name in fields for name in names):
        inner = [value for value in fields.values() if isinstance(value, dict)]
        fields = inner[0] if len(inner) == 1 else {}
    return {name: fields[name] for name in names if fields.get(name) not in (None, "", [])}


def _text(name: str, value: Any) -> str:
    """A text; of a list of texts one after the other."""
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        value = " ".join(value[: LINES_AT_MOST * 2])
    text = _plain(name, value)
    if len(text) > TEXT_AT_MOST:
        raise NoSense(f"{name} has more than {TEXT_AT_MOST} characters")
    return text


def _lines(name: str, value: Any) -> list[str]:
    """A list of texts; of objects in it the longest text of each."""
    entries = value if isinstance(value, list) else [value]
    if len(entries) > LINES_AT_MOST:
        raise NoSense(f"{name} has more than {LINES_AT_MOST} entries")
    lines = [_plain(name, _longest(entry)) for entry in entries]
    if any(len(line) > LINE_AT_MOST for line in lines):
        raise NoSense(f"{name} has an entry of more than {LINE_AT_MOST} characters")
    return list(dict.fromkeys(line for line in lines if line))


def _longest(value: Any) -> Any:
    texts = value.values() if isinstance(value, dict) else ()
    return max((text for text in texts if isinstance(text, str)), key=len, default=value)


def _plain(name: str, value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise NoSense(f"{name} is of the type {type(value).__name__}")
    return " ".join(str(value).split())


def _check(texts: list[str]) -> None:
    """Whether it is plain prose that speaks of a failure. Raises `NoSense`."""
    for text in texts:
        if any(unicodedata.category(sign) in _INVISIBLE for sign in text):
            raise NoSense("it has signs that do not show")
        if _strange().search(text):
            raise NoSense("it has markup or addresses")
    if any(speaks_to_a_model(text) for text in texts) or speaks_to_a_model(" ".join(texts)):
        raise NoSense("it speaks to a model and not of a failure")


@cache
def _strange() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in lists()["strange"]))
