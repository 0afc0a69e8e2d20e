"""Each fault with its line and the piece of the file that it is about."""

import json
from typing import Any

import pytest

from lesson_engine.errors import LessonRefused
from lesson_engine.lesson_file.fault_excerpts import FaultView, fault_views
from lesson_engine.lesson_file.lesson import MAX_BYTES, lesson_read
from tests.each import each
from tests.lesson_engine.lesson_file.build import ask, lesson, text_step


def views(source: bytes) -> list[FaultView]:
    with pytest.raises(LessonRefused) as refusal:
        lesson_read(source)
    return fault_views(source, refusal.value.faults)


def only(source: bytes) -> FaultView:
    (view,) = views(source)
    return view


def marked(view: FaultView) -> list[str]:
    return [line.marked for line in view.lines if line.marked]


def whole(view: FaultView) -> list[str]:
    return [f"{line.before}{line.marked}{line.after}" for line in view.lines]


def laid_out(value: Any) -> bytes:
    return json.dumps(value, indent=2).encode()


def test_a_wrong_value_is_marked_with_its_name_and_its_neighbours_are_shown() -> None:
    source = laid_out(lesson([ask(difficulty=9, hints=["Look."])]))
    view = only(source)
    lines = source.decode().split("\n")
    assert marked(view) == ['"difficulty": 9']
    assert lines[view.line - 1].strip().startswith('"difficulty": 9')
    assert view.column == lines[view.line - 1].index('"') + 1
    assert whole(view) == lines[view.line - 2 : view.line + 1]
    assert [line.number for line in view.lines] == [view.line - 1, view.line, view.line + 1]


def test_what_is_missing_is_told_where_it_belongs() -> None:
    question = ask()
    del question["objective"]
    view = only(json.dumps(lesson([question])).encode())
    assert view.fault.path == "moments[0].steps[0].objective"
    assert marked(view)[0].startswith('{"type": "ASK"')


def test_of_a_long_piece_only_the_first_line_is_marked() -> None:
    source = laid_out(lesson([ask(answer={"kind": "list", "items": [["x"]], "required": 2})]))
    view = only(source)
    assert view.fault.path == "moments[0].steps[0].answer"
    assert marked(view) == ['"answer": {']


def test_a_piece_of_few_lines_is_marked_whole_without_its_indentation() -> None:
    source = laid_out(lesson([text_step() | {"title": {"a": 1}}, ask()]))
    view = only(source)
    assert marked(view) == ['"title": {', '"a": 1', "}"]
    assert [line.before for line in view.lines if line.marked][1].isspace()


def test_a_file_of_one_long_line_is_shown_around_the_piece() -> None:
    source = json.dumps(lesson([text_step(body="x" * 5_000), ask(difficulty=9), text_step(body="y" * 5_000)])).encode()
    view = only(source)
    (line,) = view.lines
    assert (view.line, line.marked) == (1, '"difficulty": 9')
    assert line.before.startswith("…")
    assert line.after.endswith("…")
    assert len(line.before) + len(line.marked) + len(line.after) < 200


def test_faults_stand_in_the_order_of_the_file() -> None:
    value = lesson([ask("1"), ask("2", difficulty=9)], [text_step(body="")], policy={"attempts": "x"}, extra=1)
    found = views(laid_out(value))
    assert len(found) == 6
    assert [view.line for view in found] == sorted(view.line for view in found)


@each(
    ("source", "line", "column", "piece"),
    [
        (b'{\n  "format": "andamio.lesson/1",\n}', 3, 1, "}"),
        (b'{\n "a": 1,\n "b": {"c": 1, "c": 2}\n}', 3, 16, '"'),
        (b'{"a": 1,\n "b": [NaN]}', 2, 8, "N"),
        (b'{"a":\n ' + b"9" * 200 + b"}", 2, 2, "9"),
        (b'{"a": "b",\n "c": "\xff"}', 2, 8, "\N{REPLACEMENT CHARACTER}"),
        (b'\xef\xbb\xbf{"a": "\xff"}', 1, 8, "\N{REPLACEMENT CHARACTER}"),
        (b'{"a": "b', 1, 7, '"'),
    ],
)
def test_text_that_is_no_json_is_shown_where_reading_ended(source: bytes, line: int, column: int, piece: str) -> None:
    view = only(source)
    assert (view.line, view.column, marked(view)) == (line, column, [piece])


def test_a_name_that_stands_twice_is_told_with_the_object_it_stands_in() -> None:
    view = only(b'{"format": "andamio.lesson/1", "meta": {"slug": "a", "slug": "b"}}')
    assert view.fault.path == "meta"
    assert '"slug" stands twice' in view.fault.message


def test_what_cannot_be_shown_is_replaced() -> None:
    view = only(b'{"format": "andamio.lesson/1", "a": "x\x00y"}')
    assert "\x00" not in "".join(whole(view))


def test_a_fault_of_the_whole_file_has_no_place() -> None:
    for source in (b"", b"[]", b" " * (MAX_BYTES + 1), b"PK\x03\x04", b"\x1f\x8b\x08", "{}".encode("utf-16")):
        view = only(source)
        assert (view.line, view.lines) == (0, ())


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (b"PK\x03\x04rest", "a zip archive; unpack it first"),
        (b"\x1f\x8b\x08\x00", "compressed with gzip; unpack it first"),
        ("{}".encode("utf-16"), "in UTF-16; save it as UTF-8"),
        ("{}".encode("utf-32"), "in UTF-32; save it as UTF-8"),
    ],
)
def test_files_in_another_form_are_told_what_they_are(source: bytes, says: str) -> None:
    assert says in only(source).fault.message
