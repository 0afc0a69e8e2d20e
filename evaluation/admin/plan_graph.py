"""The steps of a plan as a graph: boxes with their places, and the lines between them. Drawn as SVG by the template."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from unicodedata import east_asian_width

from planning.contracts import Step

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 236, 64, 28, 44, 4
_LETTERS, _LINES = 28, 2
_LANE, _BEND = 16, 8


@dataclass(frozen=True)
class Box:
    """A step. `x` and `y` are of its upper left corner; `lines` its description, cut where it is long."""

    step: Step
    row: int
    x: int
    y: int
    lines: tuple[str, ...]

    @property
    def middle(self) -> int:
        """Its horizontal centre."""
        return self.x + WIDTH // 2

    @property
    def order_y(self) -> int:
        """Baseline of its number."""
        return self.y + HEIGHT // 2 + 5

    @property
    def placed(self) -> tuple[tuple[int, int, str], ...]:
        """Its lines with the place where each begins."""
        first = self.y + HEIGHT // 2 + 4 - 9 * (len(self.lines) - 1)
        return tuple((self.x + 40, first + 18 * place, line) for place, line in enumerate(self.lines))


@dataclass(frozen=True)
class PlanGraph:
    """Boxes and the paths between them, in units of the SVG."""

    boxes: tuple[Box, ...]
    paths: tuple[str, ...]
    width: int
    height: int


def plan_graph(steps: Sequence[Step]) -> PlanGraph:
    """A row for each distance from the beginning: steps of one row can be done side by side.

    A line that others imply is left out; one that passes a row goes around its boxes.
    """
    after = {step.order: set(step.dependencies) & {other.order for other in steps} for step in steps}
    boxes = _boxes(steps, after)
    right = max((box.x + WIDTH for box in boxes.values()), default=WIDTH)
    paths, lanes = [], 0
    for start, end in _lines_between(after):
        if boxes[end].row == boxes[start].row + 1:
            paths.append(_straight(boxes[start], boxes[end]))
        else:
            lanes += 1
            paths.append(_around(boxes[start], boxes[end], right + _LANE * lanes))
    height = MARGIN + max((box.y + HEIGHT for box in boxes.values()), default=HEIGHT)
    return PlanGraph(tuple(boxes.values()), tuple(paths), right + _LANE * lanes + MARGIN, height)


def _boxes(steps: Sequence[Step], after: Mapping[int, set[int]]) -> dict[int, Box]:
    rows: dict[int, int] = {}
    in_row: dict[int, list[Step]] = defaultdict(list)
    for step in steps:
        rows[step.order] = 1 + max((rows[before] for before in after[step.order] if before in rows), default=-1)
        in_row[rows[step.order]].append(step)
    widest = max((len(row) for row in in_row.values()), default=1)
    boxes: dict[int, Box] = {}
    for number, row in in_row.items():
        left = MARGIN + (widest - len(row)) * (WIDTH + GAP_X) // 2
        for place, step in enumerate(row):
            x, y = left + place * (WIDTH + GAP_X), MARGIN + number * (HEIGHT + GAP_Y)
            boxes[step.order] = Box(step, number, x, y, _cut(step.description))
    return boxes


def _lines_between(after: Mapping[int, set[int]]) -> list[tuple[int, int]]:
    """Each step with one that must come before it, but for those that come before such a one already."""
    earlier: dict[int, set[int]] = {}
    lines = []
    for order in sorted(after):
        earlier[order] = after[order].union(*(earlier.get(before, ()) for before in after[order]))
        implied = set[int]().union(*(earlier.get(before, ()) for before in after[order]))
        lines += [(before, order) for before in sorted(after[order] - implied)]
    return lines


def _straight(start: Box, end: Box) -> str:
    """To the row below."""
    top, bottom, half = start.y + HEIGHT, end.y, GAP_Y // 2
    return f"M {start.middle} {top} C {start.middle} {top + half}, {end.middle} {bottom - half}, {end.middle} {bottom}"


def _around(start: Box, end: Box, lane: int) -> str:
    """Past the rows between, along a lane at the right; sideways only where no boxes are."""
    bend, below, above = _BEND, start.y + HEIGHT + GAP_Y // 2, end.y - GAP_Y // 2
    return (
        f"M {start.middle} {start.y + HEIGHT} V {below - bend} Q {start.middle} {below}, {start.middle + bend} {below}"
        f" H {lane - bend} Q {lane} {below}, {lane} {below + bend} V {above - bend}"
        f" Q {lane} {above}, {lane - bend} {above} H {end.middle + bend}"
        f" Q {end.middle} {above}, {end.middle} {above + bend} V {end.y}"
    )


def _cut(text: str) -> tuple[str, ...]:
    letters = _LETTERS // 2 if any(east_asian_width(letter) in "WF" for letter in text) else _LETTERS
    return tuple(wrap(text, letters, max_lines=_LINES, placeholder=" …") or [""])
