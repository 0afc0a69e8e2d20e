"""From the meaning of a question (`sketch`) to what the network should answer, in places of the table's columns."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from analysis.contracts.requirements import ANALYSES, UNKNOWN
from analysis.requirements.inputs import Inputs
from analysis.requirements.network import CHARTS, DIRECTIONS, LEFT, OPERATORS, PARTS, RIGHT, TIMES
from benchmarks.analyze.conditions import NO_LESSON, Conditions
from benchmarks.analyze.corpus import Row, Sketch

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ChartWanted:
    """The chart of a question of which nothing else is known; names as in `network.Outcome`."""

    x: int
    y: int
    aggregate: int
    chart: int


@dataclass(frozen=True)
class Wanted:
    """The answers by the names of `network.Outcome`, each the place of what is right, or 0 and 1 for no and yes.

    `parts`, `states` and `group` have a place for each column; `values`, `refused` and `of_part` for each value group
    of the inputs; `amounts` and `periods` for each of theirs. `missed`: how many conditions no input can express.
    """

    parts: Integers
    group: Integers
    time: int
    states: Integers
    held_left: int
    held_right: int
    order_by: int
    x: int
    y: int
    counted: int
    operator: int
    operator_part: int
    grain: int
    labels: Integers
    chart: int
    direction: int
    limit: int
    has_part: int
    held: int
    aggregate: int
    values: Integers
    refused: Integers
    of_part: Integers
    amounts: Integers
    periods: Integers
    missed: int


def wanted_of(row: Row, inputs: Inputs) -> Wanted:
    """What the network should say of a row, of which these are the inputs."""
    sketch, places, columns = row.sketch, row.places, len(row.schema.columns)
    parts, conditions = _parts(sketch, places, columns), Conditions(row, inputs)
    group = np.zeros(columns, dtype=np.int64)
    group[[places[name] for name in sketch.get("group_by", ())]] = 1
    return Wanted(
        parts=parts,
        group=group,
        order_by=_order_by(sketch, places, parts),
        direction=DIRECTIONS.index(sketch["order"]["direction"] if "order" in sketch else "no"),
        chart=CHARTS.index(sketch.get("chart", "no")),
        labels=np.array([label in sketch.get("analysis", ()) for label in ANALYSES], dtype=np.int64),
        has_part=_has_part(row),
        **_figures(sketch),
        **_time(sketch, places, columns),
        **_axes(sketch, places, columns),
        **conditions.wanted,
    )


def _parts(sketch: Sketch, places: Mapping[str, int], columns: int) -> Integers:
    parts = np.zeros(columns, dtype=np.int64)
    measures = sketch.get("measures", ())
    for measure in measures:
        if measure.get("column") is not None:
            parts[places[measure["column"]]] = PARTS.index(measure["func"])
    for measure in measures:
        if "expr" in measure:
            _, left, right = measure["expr"]
            parts[places[left]], parts[places[right]] = PARTS.index(LEFT), PARTS.index(RIGHT)
    return parts


def _figures(sketch: Sketch) -> dict[str, Any]:
    """Whether rows are counted, and the figure that is of two columns."""
    figures = {"counted": 0, "operator": 0, "operator_part": 0}
    for measure in sketch.get("measures", ()):
        if "expr" in measure:
            figures["operator"] = OPERATORS.index(measure["expr"][0])
            figures["operator_part"] = PARTS.index(measure["func"])
        elif measure["column"] is None:
            figures["counted"] = 1
    return figures


def _time(sketch: Sketch, places: Mapping[str, int], columns: int) -> dict[str, Any]:
    time = sketch.get("time")
    if time is None:
        return {"time": columns, "grain": TIMES.index("no")}
    return {"time": places[time["column"]], "grain": TIMES.index(time.get("grain", UNKNOWN))}


def _order_by(sketch: Sketch, places: Mapping[str, int], parts: Integers) -> int:
    """The place of the column, or the one after all for the figure, as where the column is the one aggregated."""
    order = sketch.get("order")
    if not order:
        return NO_LESSON
    at = places.get(order["by"], len(parts))
    is_aggregated = at < len(parts) and PARTS[parts[at]] not in ("no", "none", LEFT, RIGHT)
    return len(parts) if is_aggregated else at


def _axes(sketch: Sketch, places: Mapping[str, int], columns: int) -> dict[str, Any]:
    """x, y and the function of y, where the sketch has groups or time."""
    axes = [*([sketch["time"]["column"]] if "time" in sketch else []), *sketch.get("group_by", ())]
    measures = sketch.get("measures", ())
    if not axes or not measures or any("expr" in measure for measure in measures):
        return dict.fromkeys(("x", "y", "aggregate"), NO_LESSON)
    column, function = measures[0]["column"], measures[0]["func"]
    y = columns if column is None else places[column]
    return {"x": places[axes[0]], "y": y, "aggregate": PARTS.index(function)}


def _has_part(row: Row) -> int:
    is_unknown = not row.marks_parts and "share" in row.sketch.get("analysis", ())
    return NO_LESSON if is_unknown else int("part" in row.sketch)
