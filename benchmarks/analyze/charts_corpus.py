"""Questions for charts of nvBench, which is no part of the project, to learn from; only coefficients come of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from analysis.contracts.tables import TableSchema
from analysis.requirements.network import CHARTS, PARTS
from analysis.requirements.sampling import schema_of_sample
from analysis.requirements.spans import Question, questions_prepare
from benchmarks.analyze.conditions import NO_LESSON
from benchmarks.analyze.nl2vis import SAME, databases_held_out, rows_read
from benchmarks.analyze.nl2vis import Row as Chart
from benchmarks.analyze.wanted import ChartWanted

FUNCTIONS: Final = {"avg": "mean", "sum": "sum", "min": "min", "max": "max", "count": "count", None: "none"}
QUESTIONS_EACH: Final = 2
"""Of the five or so wordings of a chart, how many are learnt from."""


@dataclass(frozen=True)
class ChartRow:
    """A question over a table of which a few rows are known, with its chart."""

    question: Question
    schema: TableSchema
    wanted: ChartWanted
    is_held_out: bool


def chart_rows(folder: Path) -> list[ChartRow]:
    """The questions of all charts whose table is known, with the vectors of their words."""
    rows = list(_rows(folder / "nl2vis"))
    questions_prepare([row.question for row in rows])
    return rows


def _rows(folder: Path) -> Iterator[ChartRow]:
    charts, schemas = rows_read(folder)
    held_out = databases_held_out(schemas)
    for chart in charts:
        table = schemas[chart["db"]].get(chart["main_table"])
        if table is None:
            continue
        schema = schema_of_sample(chart["main_table"], table["columns"], table["sample"])
        wanted = chart_wanted(chart, schema)
        for text in chart["nl"][:: max(1, len(chart["nl"]) // QUESTIONS_EACH)][:QUESTIONS_EACH]:
            yield ChartRow(Question(text), schema, wanted, chart["db"] in held_out)


def chart_wanted(chart: Chart, schema: TableSchema) -> ChartWanted:
    """The chart in places of the table's columns; its axes are no lesson where a column is not there."""
    places = {column.name.lower(): at for at, column in enumerate(schema.columns)}
    function = FUNCTIONS[chart["y"]["agg"]]
    x, y = (places.get((chart[axis]["col"] or "").lower(), NO_LESSON) for axis in ("x", "y"))
    if function == "count":
        y = len(schema.columns)
    kind = CHARTS.index(SAME.get(chart["chart"], chart["chart"]))
    if NO_LESSON in (x, y):
        return ChartWanted(NO_LESSON, NO_LESSON, NO_LESSON, kind)
    return ChartWanted(x, y, PARTS.index(function), kind)
