"""Each fault of a lesson file with the piece of JSON that it is about, for people."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from lesson_engine.errors import Fault
from lesson_engine.lesson_file.json_places import Place, is_unfit, places_of
from lesson_engine.lesson_file.lesson import MAX_BYTES, MAX_VALUES

_AROUND = 1
"""Lines shown before and after the piece."""
_MOST_LINES = 4
"""Lines of the piece itself; of a longer one only the first is marked."""
_BEFORE, _WIDTH = 40, 160
"""Characters of a line before the piece and in all: a file may be one line of a million."""


@dataclass(frozen=True)
class ExcerptLine:
    """A line of the file, the piece in the middle; a part that was left out is three dots."""

    number: int
    before: str
    marked: str
    after: str


@dataclass(frozen=True)
class FaultView:
    """A fault. `line` and `column` count from 1; 0 and no lines where the file as a whole is meant."""

    fault: Fault
    line: int
    column: int
    lines: tuple[ExcerptLine, ...]


def fault_views(source: bytes, faults: Sequence[Fault]) -> list[FaultView]:
    """The faults in the order of the file; those of the whole file come first."""
    if len(source) > MAX_BYTES:
        return [FaultView(fault, 0, 0, ()) for fault in faults]
    text = source.decode("utf-8-sig", errors="replace")
    paths = {fault.path for fault in faults if fault.offset is None and fault.path != "$"}
    places = places_of(text, paths, most=MAX_VALUES + 1) if paths else {}
    placed = [(fault, _place(fault, places)) for fault in faults]
    placed.sort(key=lambda pair: pair[1].start if pair[1] else -1)
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    return [_view(fault, place, lines, starts) for fault, place in placed]


def _place(fault: Fault, places: dict[str, Place]) -> Place | None:
    if fault.offset is not None:
        return Place(fault.offset, fault.offset, fault.offset + 1)
    return places.get(fault.path)


def _view(fault: Fault, place: Place | None, lines: list[str], starts: list[int]) -> FaultView:
    if place is None:
        return FaultView(fault, 0, 0, ())
    first, end = _line_at(starts, place.start), place.end
    last = _line_at(starts, max(place.start, end - 1))
    if not end or last - first >= _MOST_LINES:
        last, end = first, starts[first] + len(lines[first])
    shown = range(max(0, first - _AROUND), min(len(lines), last + _AROUND + 1))
    excerpt = (_excerpt(at, lines[at], place.start - starts[at], end - starts[at]) for at in shown)
    return FaultView(fault, first + 1, place.start - starts[first] + 1, tuple(excerpt))


def _line_at(starts: list[int], offset: int) -> int:
    return min(bisect_right(starts, offset) - 1, len(starts) - 2)


def _excerpt(number: int, line: str, start: int, end: int) -> ExcerptLine:
    """The line with what lies in it of the piece from `start` to `end`, both counted from the line's beginning."""
    if start < 0 < end:
        start = len(line) - len(line.lstrip())  # the piece began in a line above: the indentation is no part of it
    start, end = min(max(start, 0), len(line)), min(max(end, 0), len(line))
    left = max(0, start - _BEFORE) if len(line) > _WIDTH else 0
    right = min(len(line), left + _WIDTH)
    before, marked, after = line[left:start], line[start : min(end, right)], line[min(end, right) : right]
    return ExcerptLine(
        number + 1,
        ("…" if left else "") + _visible(before),
        _visible(marked),
        _visible(after) + ("…" if right < len(line) else ""),
    )


def _visible(text: str) -> str:
    """Characters that no page can show, as the mark for what cannot be read."""
    return "".join("\N{REPLACEMENT CHARACTER}" if is_unfit(char) else char for char in text) if is_unfit(text) else text
