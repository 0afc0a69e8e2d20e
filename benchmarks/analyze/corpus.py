"""The questions that the network of Analyze is fitted on: `questions/`, written for this project.

`<set>/schemas.json` has tables, each column with `aliases`: the headers that it may have in other people's tables.
`<set>/questions.jsonl` has questions over them with their meaning (`sketch`).
"""

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from analysis.contracts.tables import NUMERIC, TEMPORAL, Column, TableSchema
from analysis.requirements.spans import Question, questions_prepare

Sketch = Mapping[str, Any]
FOLDER: Final = Path(__file__).parent / "questions"
_AT_ONCE: Final = 200
_ROWS: Final = 1_000
_DISTINCT: Final = 200
"""Of a table whose rows were not counted, and of numbers and dates that were not."""
_OWN_NAME: Final = 0.3
"""How often a column keeps its name in a variant."""


@dataclass(frozen=True)
class Row:
    """A question over a table, with what it means.

    `places`: where the columns that the sketch names are in the schema, whose headers may be others. `aliases` are by
    these names too. `marks_parts`: whether the sketches of its set say of which part a share is.
    """

    id: str
    question: Question
    schema: TableSchema
    sketch: Sketch
    places: Mapping[str, int]
    aliases: Mapping[str, Sequence[str]]
    marks_parts: bool


def sets_known(folder: Path = FOLDER) -> list[str]:
    return sorted(part.name for part in folder.iterdir() if part.is_dir())


def rows_read(sets: Sequence[str], folder: Path = FOLDER) -> Iterator[Row]:
    """The rows of these sets, with the vectors of their words. Those of a few hundred are in memory at once."""
    for name in sets:
        rows = list(_rows(folder / name))
        for start in range(0, len(rows), _AT_ONCE):
            some = rows[start : start + _AT_ONCE]
            questions_prepare([row.question for row in some])
            yield from some


def variants_of(row: Row, count: int) -> Iterator[Row]:
    """The same question over up to so many tables that differ in headers and in the order of columns; each time the
    same ones.
    """
    for number in range(1, count + 1):
        dice = random.Random(f"{row.id} {number}")
        names = _other_names(row, dice)
        if names is None:
            continue
        order = list(range(len(names)))
        dice.shuffle(order)
        columns = [row.schema.columns[at].model_copy(update={"name": names[at]}) for at in order]
        schema = row.schema.model_copy(update={"columns": tuple(columns)})
        yield replace(row, schema=schema, places={name: order.index(at) for name, at in row.places.items()})


def _other_names(row: Row, dice: random.Random) -> list[str] | None:
    """A name for each column; None where two would be the same, capitals aside."""
    names: list[str] = []
    taken: set[str] = set()
    for column in row.schema.columns:
        aliases = row.aliases[column.name]
        name = column.name if not aliases or dice.random() < _OWN_NAME else dice.choice(aliases)
        if name.lower() in taken:
            name = column.name
        if name.lower() in taken:
            return None
        taken.add(name.lower())
        names.append(name)
    return names


def _rows(part: Path) -> Iterator[Row]:
    tables = json.loads((part / "schemas.json").read_text(encoding="utf-8"))
    lines = (part / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    schemas = {name: _schema(table) for name, table in tables.items()}
    aliases = {
        name: {column["name"]: column.get("aliases", ()) for column in table["columns"]}
        for name, table in tables.items()
    }
    marks_parts = any("part" in row["sketch"] for row in rows)
    for row in rows:
        name, schema = row["schema"], schemas[row["schema"]]
        places = {column.name: at for at, column in enumerate(schema.columns)}
        identity = f"{part.name}/{row['id']}"
        yield Row(identity, Question(row["question"]), schema, row["sketch"], places, aliases[name], marks_parts)


def _schema(table: Mapping[str, Any]) -> TableSchema:
    columns = tuple(map(_column, table["columns"]))
    return TableSchema(table=table["table"], rows=table.get("rows") or _ROWS, columns=columns)


def _column(column: Mapping[str, Any]) -> Column:
    """As the profile of a file would have it: numbers and dates with their range and without values."""
    kind, values = column["type"], [str(value) for value in column.get("values", ())]
    lowest, highest, distinct = (column.get(key) for key in ("lowest", "highest", "distinct"))
    if kind in (*NUMERIC, *TEMPORAL):
        if lowest is None and values:
            ordered = sorted(values, key=float) if kind in NUMERIC else sorted(values)
            lowest, highest = ordered[0], ordered[-1]
        values = []
        distinct = _DISTINCT if distinct is None else distinct
    elif kind == "boolean":
        values = values or ["false", "true"]
    return Column(
        name=column["name"],
        type=kind,
        values=tuple(values),
        complete=column.get("complete", True),
        distinct=len(values) if distinct is None else distinct,
        lowest=None if lowest is None else str(lowest),
        highest=None if highest is None else str(highest),
    )
