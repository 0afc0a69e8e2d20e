"""The steps of a plan as a graph: where each box stands and which lines join them. Drawn as SVG by the template."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import wrap

from planning.contracts import Step

WIDTH, HEIGHT, GAP_X, GAP_Y, MARGIN = 236, 64, 28, 44, 4
_LETTERS, _LINES = 34, 2


@dataclass(frozen=True)
class Box:
    """A step. `x` and `y` are of its upper left corner; `lines` its description, cut where it is long."""

    step: Step
    x: int
    y: int
    lines: tuple[str, ...]

    @property
    def middle(self) -> int:
        """Half way along."""
        return self.x + WIDTH // 2

    @property
    def text_x(self) -> int:
        """Where its lines begin."""
        return self.x + 34


@dataclass(frozen=True)
class PlanGraph:
    """Boxes and the paths between them, in units of the SVG."""

    boxes: tuple[Box, ...]
    paths: tuple[str, ...]
    width: int
    height: int


def plan_graph(steps: Sequence[Step]) -> PlanGraph:
    """A row for each distance from the beginning: what stands in one row can be done side by side."""
    rows: dict[int, int] = {}
    for step in steps:
        rows[step.order] = 1 + max((rows[one] for one in step.dependencies if one in rows), default=-1)
    in_row: dict[int, list[Step]] = defaultdict(list)
    for step in steps:
        in_row[rows[step.order]].append(step)
    widest = max((len(row) for row in in_row.values()), default=1)
    width = MARGIN * 2 + widest * WIDTH + (widest - 1) * GAP_X
    boxes: dict[int, Box] = {}
    for number, row in in_row.items():
        left = (width - len(row) * WIDTH - (len(row) - 1) * GAP_X) // 2
        for place, step in enumerate(row):
            x, y = left + place * (WIDTH + GAP_X), MARGIN + number * (HEIGHT + GAP_Y)
            boxes[step.order] = Box(step, x, y, _lines(step.description))
    paths = [_path(boxes[one], boxes[step.order]) for step in steps for one in step.dependencies if one in boxes]
    height = MARGIN * 2 + max(1, len(in_row)) * (HEIGHT + GAP_Y) - GAP_Y
    return PlanGraph(tuple(boxes.values()), tuple(paths), width, height)


def _path(start: Box, end: Box) -> str:
    top, bottom = start.y + HEIGHT, end.y
    bend = (top + bottom) // 2 if bottom - top <= GAP_Y else top + GAP_Y // 2
    return f"M {start.middle} {top} C {start.middle} {bend}, {end.middle} {bottom - GAP_Y // 2}, {end.middle} {bottom}"


def _lines(text: str) -> tuple[str, ...]:
    return tuple(wrap(text, _LETTERS, max_lines=_LINES, placeholder=" …") or [""])
