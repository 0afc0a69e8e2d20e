"""The rows of the suite, `data/questions.jsonl`, and the tables that they are about.

A row has `id`, `lang`, `table` and `question`; `requirements` as they are documented; `details` that rebuild the
reading; `template` and `steps` of its plan; `sql` for the right table, and `ordered` where the order of its rows is
asked for.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path
from typing import Any, Final

import duckdb

from analysis.contracts.requirements import Expression, Filter, Reading
from analysis.contracts.tables import TableSchema
from analysis.files.opening import OpenFiles, files_open
from analysis.requirements.meaning import Figure, Meaning, Reason, reading_of

DATA: Final = Path(__file__).parent / "data"
_PUBLIC: Final = Path(str(distribution("vega_datasets").locate_file("vega_datasets/_data")))
_RIGHT: Final = {
    "cars": f"read_json('{_PUBLIC}/cars.json')",
    "seattle_weather": f"read_csv('{_PUBLIC}/seattle-weather.csv', dateformat='%Y/%m/%d')",
    "stocks": f"read_csv('{_PUBLIC}/stocks.csv', dateformat='%b %d %Y')",
    "ventas": f"read_parquet('{DATA}/ventas.parquet')",
    "course_results": f"read_parquet('{DATA}/course_results.parquet')",
}
"""Each table with its types, read without the product: the engine's own reading of public ones, typed twins of ours."""
TABLES: Final = tuple(_RIGHT)
Row = dict[str, Any]


@dataclass(frozen=True)
class Tables:
    """Each table twice: `files` as the product opens it, `right` for the SQL of the rows."""

    files: dict[str, OpenFiles]
    right: duckdb.DuckDBPyConnection

    def schema(self, row: Row) -> TableSchema:
        return next(iter(self.files[row["table"]].schemas.values()))

    def right_rows(self, row: Row) -> list[tuple[Any, ...]]:
        return self.right.execute(row["sql"]).fetchall()


@contextmanager
def tables_opened(folder: Path) -> Iterator[Tables]:
    """All tables; `folder` takes the one file that has to be written otherwise first."""
    cars = folder / "cars.jsonl"
    cars.write_text("\n".join(map(json.dumps, json.loads((_PUBLIC / "cars.json").read_bytes()))), encoding="utf-8")
    paths = {
        "cars": cars,
        "seattle_weather": _PUBLIC / "seattle-weather.csv",
        "stocks": _PUBLIC / "stocks.csv",
        "ventas": DATA / "ventas.csv",
        "course_results": DATA / "course_results.jsonl",
    }
    with ExitStack() as stack:
        right = stack.enter_context(duckdb.connect())
        for name, source in _RIGHT.items():
            right.execute(f"CREATE TABLE {name} AS FROM {source}")
        yield Tables({name: stack.enter_context(files_open([path])) for name, path in paths.items()}, right)


def rows_read(table: str = "") -> list[Row]:
    """The rows of a table, or all."""
    lines = (DATA / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[Row] = [json.loads(line) for line in lines]
    return [row for row in rows if not table or row["table"] == table]


def right_reading(row: Row, schema: TableSchema) -> Reading:
    """What the question of a row means. Its metrics and constraints are made anew from the details."""
    required, details = row["requirements"], row["details"]
    time, order = required["time"], details.get("order", {})
    filters = [Filter.model_validate(condition) for condition in details.get("filters", ())]
    meaning = Meaning(
        figures=[_figure(figure, schema) for figure in details["figures"]],
        groups=dict.fromkeys(required["group_by"], Reason()),
        time=(time["column"], time["grain"]) if time["column"] != "unknown" else None,
        filters=filters,
        part=[condition for condition in filters if condition.column == details.get("part")],
        direction=order.get("direction"),
        order_by=order.get("by"),
        limit=details.get("limit"),
        labels=dict.fromkeys(required["analysis"], Reason()),
        chart=details.get("chart"),
        outputs=dict.fromkeys(required["outputs"], Reason()),
        language=row["lang"],
    )
    return reading_of(meaning)


def _figure(figure: Row, schema: TableSchema) -> Figure:
    if made := figure.get("expression"):
        return Figure(None, figure["func"], Expression.model_validate(made))
    column = schema.column(figure["column"]) if figure.get("column") else None
    is_number = column is None or column.is_number or column.type == "boolean" or figure["func"] == "count_distinct"
    return Figure(column.name if column else None, figure["func"], is_number=is_number)
