"""From the bytes of a lesson file to a Lesson, or to the faults in it. Source: design.md, "Lesson JSON v1"."""

import json
import math
from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_BE, BOM_UTF32_LE
from collections.abc import Iterator
from itertools import count, islice
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from lesson_engine.contracts import Lesson
from lesson_engine.errors import Fault, LessonRefused
from lesson_engine.lesson_file.json_places import Key, duplicate_of, is_unfit, literal_at, path_written, shortened
from lesson_engine.lesson_file.lesson_rules import rule_faults

MAX_BYTES = 5_000_000
MAX_DEPTH = 32
MAX_VALUES = 100_000
"""Of a whole file. Without it, a list of a million wrong values costs gigabytes in errors before any limit on lists."""
MAX_FAULTS = 100
FORMAT = "andamio.lesson/1"
_TOO_DEEP = f"nested too deep; a lesson has at most {MAX_DEPTH} levels"
_OTHER_FORMS = (
    ((b"PK\x03\x04", b"PK\x05\x06"), "a zip archive; unpack it first"),
    ((b"\x1f\x8b",), "compressed with gzip; unpack it first"),
    ((BOM_UTF32_LE, BOM_UTF32_BE), "in UTF-32; save it as UTF-8"),
    ((BOM_UTF16_LE, BOM_UTF16_BE), "in UTF-16; save it as UTF-8"),
)

Path = tuple[Key, ...]


def lesson_read(source: bytes) -> Lesson:
    """Read and check a whole file. Raises `LessonRefused` with at most `MAX_FAULTS` faults.

    They are all those of the first check that finds any: bytes and JSON, shape, schema, then the rules between parts.
    """
    text = _text(source)
    data = _decode(text)
    if faults := _shape_faults(data):
        raise LessonRefused(faults)
    try:
        # From the text: only then does strict mean JSON's types, with arrays for tuples but no "3" for 3.
        lesson = Lesson.model_validate_json(text, strict=True)
    except ValidationError as error:
        raise LessonRefused(_validation_faults(error)) from error
    if faults := list(rule_faults(lesson)):
        raise LessonRefused(faults[:MAX_FAULTS])
    return lesson


def lesson_stored(source: bytes) -> Lesson:
    """A lesson from bytes that were imported once, by the schema alone: later rules for imports must not break it."""
    return Lesson.model_validate_json(source.decode("utf-8-sig"), strict=True)


def _refuse(path: str, message: str, offset: int | None = None) -> LessonRefused:
    return LessonRefused([Fault(path=path, message=message, offset=offset)])


def _text(source: bytes) -> str:
    if len(source) > MAX_BYTES:
        raise _refuse("$", f"the file has more than {MAX_BYTES:,} bytes, the most that a lesson may have")
    for beginnings, form in _OTHER_FORMS:
        if source.startswith(beginnings):
            raise _refuse("$", f"the file is not UTF-8 text but {form}")
    try:
        text = source.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        offset = len(error.object[: error.start].decode())
        raise _refuse("$", f"the file is not UTF-8 text; byte {error.start} cannot be read", offset) from error
    if not text.strip():
        raise _refuse("$", "the file is empty; a lesson is a JSON object")
    return text


class _Unwanted(ValueError):
    """JSON for Python's parser, but not for ours; `literal` is as in the text."""

    def __init__(self, message: str, literal: str) -> None:
        super().__init__(message)
        self.literal = literal


class _DuplicateKey(ValueError):
    """An object has a name twice."""


def _decode(text: str) -> Any:
    try:
        return json.loads(
            text, object_pairs_hook=_unique_keys, parse_constant=_no_constant, parse_int=_integer, parse_float=_number
        )
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg} at line {error.lineno}, column {error.colno}"
        raise _refuse("$", message, error.pos) from error
    except RecursionError as error:
        raise _refuse("$", _TOO_DEEP) from error
    except _Unwanted as error:
        raise _refuse("$", f"not JSON: {error}", literal_at(text, error.literal)) from error
    except _DuplicateKey as error:
        path, name, offset = duplicate_of(text)
        raise _refuse(path, f"not JSON: the key {shortened(name)} stands twice in one object", offset) from error


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        raise _DuplicateKey
    return result


def _no_constant(name: str) -> Any:
    raise _Unwanted(f"{name} is not a JSON number", name)


def _integer(digits: str) -> int:
    # Long before Python's own limit on digits, which would speak of a setting instead of the file.
    if len(digits) > 100:
        raise _Unwanted(f"a number with {len(digits):,} digits is longer than any lesson needs", digits)
    return int(digits)


def _number(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise _Unwanted(f"{shortened(digits)} is beyond the numbers of a computer", digits)
    return number


def _shape_faults(data: Any) -> list[Fault]:
    """What no schema can say: depth, characters that cannot be stored, and a file of another format.

    A file of another format gets that fault alone.
    """
    if not isinstance(data, dict):
        return [Fault(path="$", message="a lesson is a JSON object")]
    if data.get("format") != FORMAT:
        value = shortened(data["format"]) if "format" in data else "none"
        return [Fault(path="format", message=f'expected "{FORMAT}", found {value}')]
    unfit = islice(_unfit(data, (), count(1)), MAX_FAULTS)
    return [Fault(path=path_written(path), message=message) for path, message in unfit]


def _unfit(value: Any, path: Path, values: Iterator[int]) -> Iterator[tuple[Path, str]]:
    if isinstance(value, str):
        if is_unfit(value):
            yield path, "holds a control character or half of a surrogate pair"
    elif isinstance(value, dict | list):
        if len(path) == MAX_DEPTH:
            yield path, _TOO_DEEP
            return
        for key, child in value.items() if isinstance(value, dict) else enumerate(value):
            if next(values) == MAX_VALUES:
                yield (), f"has more than {MAX_VALUES:,} values, the most that a lesson may have"
            if isinstance(key, str) and is_unfit(key):
                yield (*path, key), "the name holds a control character or half of a surrogate pair"
            if isinstance(child, str | dict | list):
                yield from _unfit(child, (*path, key), values)


def _validation_faults(error: ValidationError) -> list[Fault]:
    faults: dict[str, Fault] = {}
    for item in error.errors(include_url=False):
        if item["type"] == "too_short" and len(item["input"]) >= item["ctx"]["min_length"]:
            continue  # its items are wrong, and each has said so
        fault = Fault(path=path_written(_location(item)), message=_message(item))
        # A value that fits no member of a union is told once, by the first of them.
        faults.setdefault(fault.path, fault)
        if len(faults) == MAX_FAULTS:
            break
    return list(faults.values())


def _location(item: ErrorDetails) -> Path:
    """The place in the file: Pydantic puts the names of union members in between, as in `steps[3].ASK.answer.open`."""
    path = item["loc"]
    tags = set()
    if path[:1] == ("moments",) and path[2:3] == ("steps",):
        tags.add(4)
        if path[4:6] == ("ASK", "answer"):
            tags.add(6)
            if path[6:8] == ("numeric", "value"):
                tags.add(8)
    path = tuple(key for at, key in enumerate(path) if at not in tags)
    if item["type"] in ("union_tag_invalid", "union_tag_not_found"):
        return (*path, str(item["ctx"]["discriminator"]).strip("'"))
    return path


def _message(item: ErrorDetails) -> str:
    kind, value = item["type"], item["input"]
    if kind in ("missing", "union_tag_not_found"):
        return "is missing"
    if kind == "extra_forbidden":
        return "is not a field here; remove it or correct its name"
    if kind == "union_tag_invalid":
        return f"expected one of {item['ctx']['expected_tags']}, found {shortened(item['ctx']['tag'])}"
    if kind in ("too_short", "too_long") and isinstance(value, list):
        bound = f"least {item['ctx']['min_length']}" if kind == "too_short" else f"most {item['ctx']['max_length']}"
        return f"expected at {bound} items, found {len(value)}"
    message = item["msg"].removeprefix("Value error, ")
    if kind == "value_error" or isinstance(value, dict | list):
        return message
    return f"{message}, found {shortened(value)}"
