"""Questions for charts of nvBench, which is no part of the project, as rows to learn from; coefficients come of it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from analysis.requirements.sampling import schema_of_sample
from analysis.requirements.spans import Question, questions_prepare
from benchmarks.analyze.corpus import Row

FUNCTIONS: Final = {"avg": "mean", "sum": "sum", "min": "min", "max": "max", "count": "count"}
QUESTIONS_EACH: Final = 2
"""Of the five or so wordings of a chart, how many are learnt from."""


def chart_rows(folder: Path, databases: Sequence[str] | None = None) -> list[Row]:
    """Rows without marked words and without labels, of these databases; of all where they are left out."""
    rows = list(_rows(folder, databases))
    questions_prepare([row.question for row in rows])
    return rows


def _rows(folder: Path, databases: Sequence[str] | None) -> Iterator[Row]:
    schemas = json.loads((folder / "nl2vis" / "nvbench_dev_schemas.json").read_text(encoding="utf-8"))
    for line in (folder / "nl2vis" / "nvbench_dev.jsonl").read_text(encoding="utf-8").splitlines():
        chart = json.loads(line)
        if databases is not None and chart["db"] not in databases:
            continue
        table = schemas[chart["db"]].get(chart["main_table"])
        if table is None:
            continue
        schema = schema_of_sample(chart["main_table"], table["columns"], table["sample"])
        sketch = sketch_of(chart)
        for text in chart["nl"][:: max(1, len(chart["nl"]) // QUESTIONS_EACH)][:QUESTIONS_EACH]:
            yield Row(Question(text), schema, f"nvbench/{chart['db']}", sketch, ())


def sketch_of(chart: dict[str, Any]) -> dict[str, Any]:
    """What a chart means, in the form of our own corpora."""
    x, y, color, order, cut = chart["x"], chart["y"], chart["color"], chart["order"], chart["bin"]
    if y["agg"] is None:
        measures = [{"column": x["col"], "func": "none"}, {"column": y["col"], "func": "none"}]
        groups = [color] if color else []
    else:
        is_count = y["agg"] == "count"
        measures = [{"column": None if is_count else y["col"], "func": FUNCTIONS[y["agg"]]}]
        groups = [name for name in ([] if cut else [x["col"]]) + ([color] if color else []) if name]
    return {
        "measures": measures,
        "group_by": groups,
        "time": {"column": cut["col"], "grain": cut["unit"]} if cut and y["agg"] else None,
        "filters": [],
        "order": {"by": "measure", "direction": order["dir"]} if order else None,
        "limit": None,
        "chart": chart["chart"],
        "pair": {"x": x["col"], "y": y["col"], "function": FUNCTIONS[y["agg"]] if y["agg"] else "none"},
    }
