"""Whatever the bytes of a file are, reading them ends soon, in a lesson or in LessonRefused."""

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lesson_engine.errors import LessonRefused
from lesson_engine.lesson_file.lesson import MAX_BYTES, lesson_read
from tests.each import each
from tests.lesson_engine.lesson_file.build import ask, encoded, lesson, text_step

DEMO = Path(__file__).parents[3] / "lesson_engine" / "lessons" / "fotosintesis.json"


def refusal(source: bytes) -> str:
    started = time.perf_counter()
    with pytest.raises(LessonRefused) as refused:
        lesson_read(source)
    assert time.perf_counter() - started < 60
    return str(refused.value)


def opened(inner: bytes) -> bytes:
    return b'{"format": "andamio.lesson/1", "x": ' + inner + b"}"


@each(
    ("source", "says"),
    [
        (b"", "$: the file is empty"),
        (b" \n\t ", "$: the file is empty"),
        (b"\xef\xbb\xbf", "$: the file is empty"),
        (b"not json", "$: not JSON: Expecting value at line 1, column 1"),
        (b'{"format": "andamio.lesson/1",}', "$: not JSON"),
        (b'{"a": 1} {"b": 2}', "Extra data"),
        (b"[]", "$: a lesson is a JSON object"),
        (b"null", "$: a lesson is a JSON object"),
        (b"{}", 'format: expected "andamio.lesson/1", found none'),
        (b'{"format": 1, "format": 2}', 'the key "format" stands twice'),
        (opened(b'{"b": 1, "b": 1}'), 'the key "b" stands twice'),
        (opened(b"NaN"), "NaN is not a JSON number"),
        (opened(b"-Infinity"), "-Infinity is not a JSON number"),
        (opened(b"1e999"), '"1e999" is beyond the numbers of a computer'),
        (opened(b"9" * 100_000), "a number with 100,000 digits"),
        (opened(b"-" + b"9" * 4_000), "digits"),
        (b'{"format": "\xff"}', "$: the file is not UTF-8 text; byte 12 cannot be read"),
        ("{}".encode("utf-16"), "not UTF-8"),
        (b"\x00" * 50, "$: not JSON"),
        (opened(b'"a\x00b"'), "control character"),
        (opened(b'"\\u0000"'), "x: holds a control character"),
        (opened(b'"\\ud800"'), "half of a surrogate pair"),
        (opened(b'"\\udc00\\ud800"'), "half of a surrogate pair"),
        (b" " * (MAX_BYTES + 1), "more than 5,000,000 bytes"),
        (b" " * 50_000_000, "more than 5,000,000 bytes"),
    ],
)
def test_bytes_that_are_no_lesson_are_refused_in_plain_words(source: bytes, says: str) -> None:
    assert says in refusal(source)


@each("depth", [33, 900, 10_000, 1_000_000])
@each(("opening", "closing"), [(b"[", b"]"), (b'{"a":', b"}")])
def test_deep_nesting_is_refused(depth: int, opening: bytes, closing: bytes) -> None:
    inner = opening * depth + b"1" + closing * depth
    assert refusal(opened(inner)).count("nested too deep" if len(inner) < MAX_BYTES else "more than") == 1
    assert "nested too deep" in refusal(opening * min(depth, 800_000)) or depth < 1_000


@pytest.mark.hard
@each(
    "make_source",
    [
        lambda: encoded(lesson([text_step("NARRATION", "x")] * 100_000)),
        lambda: encoded(lesson([ask("a")], policy={"operations": [0] * 1_500_000})),
        lambda: encoded(lesson([ask("a", skills=[0] * 1_500_000)])),
        lambda: encoded(lesson(moments=[0] * 1_500_000)),
        lambda: encoded(lesson(**{f"k{n}": 0 for n in range(300_000)})),
    ],
)
def test_a_flood_of_values_is_refused_before_it_costs_anything(make_source: Callable[[], bytes]) -> None:
    assert "values, the most" in refusal(make_source())


def test_more_steps_than_a_moment_may_have_are_refused() -> None:
    told = refusal(encoded(lesson([text_step()] * 600 + [ask()])))
    assert told == "moments[0].steps: expected at most 500 items, found 601"


def test_a_lesson_of_fifty_thousand_values_is_read_in_seconds() -> None:
    moments = [[ask(f"a{m}_{n}") for n in range(100)] for m in range(60)]
    started = time.perf_counter()
    assert len(lesson_read(encoded(lesson(*moments))).moments) == 60
    assert time.perf_counter() - started < 60


def test_a_byte_order_mark_is_no_fault() -> None:
    assert lesson_read(b"\xef\xbb\xbf" + encoded(lesson())) == lesson_read(encoded(lesson()))


def test_characters_beyond_the_first_plane_are_no_fault() -> None:
    value = lesson([text_step(body="🌱 \u2028 ñ"), ask()])
    for source in (encoded(value), json.dumps(value, ensure_ascii=False).encode()):
        step = lesson_read(source).moments[0].steps[0]
        assert step.type == "CONTENT"
        assert step.body == "🌱 \u2028 ñ"


def test_the_demo_lesson_is_good() -> None:
    assert len(lesson_read(DEMO.read_bytes()).moments) >= 3
