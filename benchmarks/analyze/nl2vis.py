"""Charts of nvBench (its part over single tables), which is read from a folder beside the project; none is kept here.

Each question of a chart is read over the columns and the two rows that are known of its table. Right means the chart's
type, the column of x, the aggregate and the column of y.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from analysis.contracts.requirements import ChartShape
from analysis.contracts.tables import TableSchema
from analysis.requirements.reading import chart_read, questions_embed
from analysis.requirements.sampling import schema_of_sample

PARTS: Final = ("type", "x", "aggregate", "y")
SAME: Final = {"stacked bar": "bar", "grouping scatter": "scatter"}
"""Types of nvBench that are one of ours with a colour."""
_AT_ONCE: Final = 200
_WORST: Final = 8
Row = Mapping[str, Any]
Schemas = Mapping[str, Mapping[str, Mapping[str, Any]]]


@dataclass(frozen=True)
class ChartMark:
    """A question with what was right of its chart, by the names of `PARTS`."""

    row: Row
    question: str
    chart: ChartShape
    right: Mapping[str, bool]

    @property
    def is_right(self) -> bool:
        return all(self.right.values())


def rows_read(folder: Path) -> tuple[list[Row], Schemas]:
    """The charts, and the schemas by database and table."""
    lines = (folder / "nvbench_dev.jsonl").read_text(encoding="utf-8").splitlines()
    schemas: Schemas = json.loads((folder / "nvbench_dev_schemas.json").read_text(encoding="utf-8"))
    return [json.loads(line) for line in lines], schemas


def databases_held_out(schemas: Schemas) -> frozenset[str]:
    """Every second database by name, beginning with the second: nothing may be fitted on these."""
    return frozenset(sorted(schemas)[1::2])


def charts_right(rows: Iterable[Row], schemas: Schemas) -> list[ChartMark]:
    """A mark for each question (`nl`) of each row, in order."""
    tables: dict[tuple[str, str], TableSchema] = {}
    asked = [(row, question) for row in rows for question in row["nl"]]
    marks: list[ChartMark] = []
    for start in range(0, len(asked), _AT_ONCE):
        some = asked[start : start + _AT_ONCE]
        questions_embed([question for _, question in some])
        for row, question in some:
            table = _table(row, schemas, tables)
            chart = chart_read(question, table)
            marks.append(ChartMark(row, question, chart, parts_right(row, chart)))
    return marks


def _table(row: Row, schemas: Schemas, tables: dict[tuple[str, str], TableSchema]) -> TableSchema:
    key = (row["db"], row["main_table"])
    if key not in tables:
        known = schemas[key[0]][key[1]]
        tables[key] = schema_of_sample(key[1], known["columns"], known["sample"])
    return tables[key]


def parts_right(row: Row, chart: ChartShape) -> dict[str, bool]:
    """What is right of a chart. The column of y is not held against anything where rows are counted."""
    aggregate = row["y"]["agg"] or "none"
    return {
        "type": chart.type == SAME.get(row["chart"], row["chart"]),
        "x": _is_same_name(chart.x, row["x"]["col"]),
        "aggregate": (chart.aggregate or "none") == aggregate,
        "y": aggregate == "count" or _is_same_name(chart.y, row["y"]["col"]),
    }


def _is_same_name(name: str | None, wanted: str) -> bool:
    return name is not None and name.casefold() == wanted.casefold()


def report(folder: Path, *, misses: bool = False) -> None:
    """Print the shares, of all questions and beside them of the databases that are held out."""
    rows, schemas = rows_read(folder)
    marks = charts_right(rows, schemas)
    databases = databases_held_out(schemas)
    held = [mark for mark in marks if mark.row["db"] in databases]
    print(f"nvBench: {len(marks):,} questions of {len(rows):,} charts; {len(databases)} databases are held out")
    print(f"{'':<34}{'questions':>10}{'right':>8}{'held out':>10}{'right':>8}")
    _line("all four right", marks, held)
    print(f"{'  mean of the databases':<34}{'':>10}{_mean(marks):>8.3f}{'':>10}{_mean(held):>8.3f}")
    for part in PARTS:
        _line(f"  {part}", marks, held, part)
    for hardness in ("Easy", "Medium", "Hard", "Extra Hard"):
        all_of, held_of = ([mark for mark in some if mark.row["hardness"] == hardness] for some in (marks, held))
        _line(hardness, all_of, held_of)
    _worst(marks, databases)
    for mark in marks if misses else ():
        if not mark.is_right:
            wrong = ", ".join(part for part in PARTS if not mark.right[part])
            print(f"  {mark.row['db']}: {wrong}: {mark.question}\n    {mark.row['vql']}\n    {mark.chart}")


def _line(name: str, marks: Sequence[ChartMark], held: Sequence[ChartMark], part: str = "") -> None:
    cells = [f"{len(some):>10,}{_share(some, part):>8.3f}" for some in (marks, held)]
    print(f"{name:<34}{cells[0]}{cells[1]}")


def _share(marks: Sequence[ChartMark], part: str = "") -> float:
    right = [mark.right[part] if part else mark.is_right for mark in marks]
    return sum(right) / max(1, len(right))


def _by_database(marks: Sequence[ChartMark]) -> dict[str, list[ChartMark]]:
    by_database: dict[str, list[ChartMark]] = {}
    for mark in marks:
        by_database.setdefault(mark.row["db"], []).append(mark)
    return by_database


def _mean(marks: Sequence[ChartMark]) -> float:
    """The mean of the shares: one database has two questions of five."""
    shares = [_share(some) for some in _by_database(marks).values()]
    return sum(shares) / max(1, len(shares))


def _worst(marks: Sequence[ChartMark], held: Collection[str]) -> None:
    by_database = _by_database(marks)
    print("the worst databases (* held out):")
    for name in sorted(by_database, key=lambda name: _share(by_database[name]))[:_WORST]:
        some = by_database[name]
        print(f"  {name + ('*' if name in held else ''):<32}{len(some):>10,}{_share(some):>8.3f}")
