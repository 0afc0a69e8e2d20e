"""JSON lines: whatever comes, each line is one value or one clear refusal, in bounded memory."""

import io
import os
import time
import tracemalloc
from typing import Annotated

import pytest
from pydantic import Field

from core.batch.json_lines import MAX_LINE, BadLine, line_read, lines_in_chunks
from core.contracts import Contract
from tests.each import each


class Row(Contract):
    text: str
    words: Annotated[tuple[Annotated[str, Field(max_length=5)], ...], Field(max_length=3)] = ()
    number: int | None = None


def lines(source: bytes, most: int = 1000) -> list[bytes]:
    return [line for chunk in lines_in_chunks(io.BytesIO(source), most) for line in chunk]


@each(
    ("source", "expected"),
    [
        (b"", []),
        (b"\n", [b""]),
        (b"a", [b"a"]),
        (b"a\n", [b"a"]),
        (b"a\n\nb", [b"a", b"", b"b"]),
        (b"a\r\nb\r\n", [b"a\r", b"b\r"]),
        (b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n", [b"a", b"\xef\xbb\xbfb"]),
        ("a\u2028b\x0bc\x85d\n".encode(), ["a\u2028b\x0bc\x85d".encode()]),
        (b"\xff\xfea\x00\n\x00", [b"\xff\xfea\x00", b"\x00"]),
    ],
)
def test_only_a_line_feed_ends_a_line(source: bytes, expected: list[bytes]) -> None:
    assert lines(source) == expected


def test_chunks_have_no_more_lines_than_asked_for() -> None:
    chunks = list(lines_in_chunks(io.BytesIO(b"x\n" * 1001), 256))
    assert [len(chunk) for chunk in chunks] == [256, 256, 256, 233]


def test_what_is_there_comes_without_waiting_for_more() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source:
        chunks = lines_in_chunks(source, 256)
        for text in (b"one\ntwo\nthr", b"ee\n"):
            os.write(writing, text)
            assert next(chunks) == text.replace(b"thr", b"").replace(b"ee", b"three").split()
        os.write(writing, b"four")
        os.close(writing)
        assert list(chunks) == [[b"four"]]


def test_lines_from_a_pipe_that_is_full_come_in_whole_chunks() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"x\n" * 600)
    os.close(writing)
    with os.fdopen(reading, "rb") as source:
        assert [len(chunk) for chunk in lines_in_chunks(source, 256)] == [256, 256, 88]


class Endless(io.RawIOBase):
    """A line that does not end for a gigabyte, and a short one after it."""

    def __init__(self) -> None:
        self._left = 1_000_000_000

    def read1(self, size: int) -> bytes:
        taken = min(size, self._left)
        self._left -= taken
        return b"x" * taken if taken else b""


@pytest.mark.hard
def test_a_line_without_an_end_takes_no_memory_and_is_refused() -> None:
    tracemalloc.start()
    (found,) = [line for chunk in lines_in_chunks(Endless(), 256) for line in chunk]  # type: ignore[arg-type]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000
    with pytest.raises(BadLine, match=r"^the line is longer than 1,000,000 bytes$"):
        line_read(found, Row)


def test_after_a_line_that_is_too_long_the_next_one_is_read() -> None:
    found = lines(b'{"text": "' + b"x" * 10 * MAX_LINE + b'"}\n{"text": "y"}\n')
    assert len(found) == 2
    assert line_read(found[1], Row) == Row(text="y")
    with pytest.raises(BadLine, match="longer than"):
        line_read(found[0], Row)


@pytest.mark.parametrize(
    ("line", "value"),
    [
        (b'{"text": "\xc3\xb1"}\r', Row(text="ñ")),
        (b' {"text": "\\u00f1", "words": ["a", ""], "number": null}', Row(text="ñ", words=("a", ""))),
        (b'{"text": "\\u0000\\ud83d\\ude00"}', Row(text="\0\U0001f600")),
    ],
)
def test_a_good_line_is_a_value(line: bytes, value: Row) -> None:
    assert line_read(line, Row) == value


@each(
    ("line", "said"),
    [
        (b"", "the line is empty; a JSON object is expected"),
        (b" \r", "the line is empty; a JSON object is expected"),
        (b'{"text": "\xff"}', "byte 11 of the line is not UTF-8"),
        (b"\xff\xfe{\x00", "byte 1 of the line is not UTF-8"),
        (b'{"text": "\xed\xa0\x80"}', "byte 11 of the line is not UTF-8"),
        (b'{"text": "\x00"}', "not JSON: control character .* at column 11"),
        (b'{"text": "a\tb"}', "not JSON: control character .* at column 12"),
        ("{'text': 'ñ'}".encode(), "not JSON: key must be a string at column 2"),
        ('{"text": "ñññ" "a"}'.encode(), "not JSON: expected `,` or `}` at column 16"),
        (b'{"text": "\\ud800"}', "not JSON: .* hex escape at column 17"),
        (b'{"text": "a"} {"text": "b"}', "not JSON: trailing characters at column 15"),
        (b'{"text": "a"', "not JSON: EOF while parsing an object at column 12"),
        (b"\xef\xbb\xbf{}", "not JSON: expected value at column 1"),
        (b'{"text": "a", "number": NaN}', "not JSON: expected value at column 25"),
        (b'{"text": "a", "number": -Infinity}', "not JSON: invalid number at column 26"),
        (b'{"text": "a", "text": "a"}', "/text must not stand twice in one object"),
        (b'{"text": "a", "other": [{"x/y": 1, "x/y": 2}]}', "/other/0/x~1y must not stand twice in one object"),
        (b'{"text": "a", "number": -1e999}', "/number must not be a number beyond 1.8e308"),
        (b"[" * 100_000, "not JSON: recursion limit exceeded at column 202"),
        (b'{"a":' * 50_000, "not JSON: recursion limit exceeded at column .*"),
        (b"7", "a row should be an object"),
        (b'["text"]', "a row should be an object"),
        (b"null", "a row should be an object"),
        (b"{}", "text is missing"),
        (b'{"text": null}', "text should be a valid string"),
        (b'{"text": "a", "words": "b"}', "words should be a valid array"),
        (b'{"text": "a", "words": ["b", 7]}', r"words\[1\] should be a valid string"),
        (b'{"text": "a", "number": "7"}', "number should be a valid integer"),
        (b'{"text": "a", "words": ["b", "abcdef"]}', r"words\[1\] should have at most 5 characters"),
        (b'{"text": "a", "words": ["b", "b", "b", "b"]}', "words should have at most 3 items, not 4"),
        (b'{"text": "a", "other": 1}', "other is not a field here"),
        (b'{"words": {}, "number": "a"}', "text is missing; words should be a valid array; number should be .*"),
    ],
)
def test_a_bad_line_is_refused_with_its_place_and_what_was_expected(line: bytes, said: str) -> None:
    with pytest.raises(BadLine, match=f"^{said}$"):
        line_read(line, Row)


def test_a_number_with_endless_digits_is_refused_or_read_at_once() -> None:
    began = time.process_time()
    with pytest.raises(BadLine):
        line_read(b'{"text": "a", "number": ' + b"1" * 900_000 + b"}", Row)
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    "line",
    [
        b'{"text": "a", "words": [' + b"7," * 5000 + b"7]}",
        b'{"text": "a", "' + b"x" * 900_000 + b'": 1}',
        b'{"text": "a"' + b"".join(b', "field%d": 1' % number for number in range(5000)) + b"}",
    ],
    ids=["in a list", "a long name", "in many fields"],
)
def test_however_much_is_wrong_the_refusal_is_short(line: bytes) -> None:
    with pytest.raises(BadLine) as raised:
        line_read(line, Row)
    assert 0 < len(str(raised.value)) <= 500
