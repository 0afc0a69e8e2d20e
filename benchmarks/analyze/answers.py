"""Whole answers: a question over files, and the rows that come out beside those that SQL gives over clean twins.

A folder has data files as people have them, `clean/*.parquet` with the same tables typed, and `questions.jsonl` (id,
lang, files, question, sql, ordered; where it is there `sketch`, what the question means).
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import duckdb

from analysis.contracts.requirements import UNKNOWN, Reading
from analysis.contracts.tables import TableSchema
from analysis.files.opening import OpenFiles, files_open
from analysis.requirements.reading import question_read, questions_embed
from analysis.services import question_answer
from benchmarks.analyze.tables import is_same_table
from core.errors import AndamioError

FOLDER: Final = Path(__file__).parent / "answers"
Row = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """A question with what came of it. `error`: why there are no rows, empty where there are.

    `causes`: parts of the reading that are not as the sketch has them; only for what is wrong and has a sketch.
    """

    folder: str
    row: Row
    is_right: bool
    error: str = ""
    causes: tuple[str, ...] = ()


def folders_shipped() -> list[Path]:
    """The folders beside this module, none where there are none."""
    return sorted(path.parent for path in FOLDER.glob("*/questions.jsonl"))


def answers_of(folder: Path) -> list[Answer]:
    """All questions of a folder, answered. Files are opened once."""
    lines = (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows: list[Row] = [json.loads(line) for line in lines if line.strip()]
    questions_embed([row["question"] for row in rows])
    opened: dict[tuple[str, ...], OpenFiles] = {}
    with _clean(folder) as clean:
        try:
            return [_answer(folder, row, clean, opened) for row in rows]
        finally:
            for files in opened.values():
                files.close()


def _clean(folder: Path) -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    for path in sorted((folder / "clean").glob("*.parquet")):
        connection.execute(f"CREATE VIEW \"{path.stem}\" AS SELECT * FROM read_parquet('{path}')")
    return connection


def _answer(
    folder: Path, row: Row, clean: duckdb.DuckDBPyConnection, opened: dict[tuple[str, ...], OpenFiles]
) -> Answer:
    right = clean.execute(row["sql"]).fetchall()
    names = tuple(row["files"])
    if names not in opened:
        opened[names] = files_open([folder / name for name in names])
    files, error, given = opened[names], "", None
    try:
        analysis = question_answer(row["question"], source=files, schemas=files.schemas)
        given = analysis.execution.table.rows
    except AndamioError as refusal:
        error = refusal.message
    except Exception as crash:  # one crash is one miss, and the list of misses says which
        error = f"{type(crash).__name__}: {crash}"
    is_right = given is not None and is_same_table(right, given, is_ordered=row["ordered"])
    is_explained = not is_right and "sketch" in row
    causes = causes_of(row["question"], row["sketch"], next(iter(files.schemas.values()))) if is_explained else ()
    return Answer(folder.name, row, is_right, error, causes)


def causes_of(question: str, sketch: Row, schema: TableSchema) -> tuple[str, ...]:
    """What the reading has otherwise than the sketch; "execution" where nothing is."""
    reading = question_read(question, schema)
    wanted, read = _parts_of_sketch(sketch), _parts_of_reading(reading)
    return tuple(part for part in wanted if wanted[part] != read[part]) or ("execution",)


def _parts_of_sketch(sketch: Row) -> dict[str, Any]:
    measures, time, order = sketch["measures"], sketch["time"], sketch["order"]
    filters = [
        (condition["column"], *_condition(condition["op"], condition.get("value"))) for condition in sketch["filters"]
    ]
    by = order and order["by"]
    return {
        "measure": {
            tuple(map(str, measure["expr"])) if "expr" in measure else measure["column"] for measure in measures
        },
        "function": sorted(measure["func"] for measure in measures),
        "group": set(sketch["group_by"]),
        "time": (time["column"], time["grain"]) if time else None,
        "filter": set(filters),
        "order": (None if by in ("measure", "count") else by, order["direction"]) if order else None,
        "limit": sketch["limit"],
        "label": set(sketch["analysis"]),
    }


def _parts_of_reading(reading: Reading) -> dict[str, Any]:
    requirements, details = reading.requirements, reading.details
    figures, time, order = details.aggregates, requirements.time, details.order
    filters = {(condition.column, *_condition(condition.op, condition.value)) for condition in details.filters}
    names = {figure.name for figure in figures if figure.func != "none"} | {"share"}
    return {
        "measure": {
            (made.operator, made.left, made.right) if (made := figure.expression) else figure.column
            for figure in figures
        },
        "function": sorted(figure.func for figure in figures),
        "group": set(requirements.group_by),
        "time": (time.column, time.grain) if time.column != UNKNOWN else None,
        "filter": filters,
        "order": (None if order.by in names else order.by, order.direction) if order else None,
        "limit": details.limit,
        "label": set(requirements.analysis),
    }


def _condition(op: str, value: Any) -> tuple[str, str]:
    """Operator and value in one form: several values in any order, numbers as numbers."""
    if op == "=" and value is None:
        return "null", ""
    values = value if isinstance(value, list | tuple) else [value]
    texts = [f"{value:g}" if isinstance(value, int | float) else str(value) for value in values if value is not None]
    return op, ", ".join(texts if op == "between" else sorted(texts))


def report(folders: Sequence[Path], *, misses: bool = False) -> None:
    """Print the shares by folder and by language, and what the misses come from."""
    answers = [answer for folder in folders for answer in answers_of(folder)]
    if not answers:
        print("answers: no folder with questions; --answers FOLDER names one")
        return
    print(f"answers: {len(answers):,} questions over files, {len(folders)} folders")
    print(f"{'':<34}{'questions':>10}{'right':>8}")
    for name, some in _groups(answers):
        print(f"{name:<34}{len(some):>10,}{sum(answer.is_right for answer in some) / len(some):>8.3f}")
    causes = Counter(cause for answer in answers for cause in answer.causes)
    if causes:
        print("misses by what was read otherwise than the sketch has it (a miss may count for several):")
        print("  " + ", ".join(f"{cause} {count}" for cause, count in causes.most_common()))
    if failed := sum(bool(answer.error) for answer in answers):
        print(f"without an answer: {failed}")
    for answer in answers if misses else ():
        if not answer.is_right:
            print(f"  {answer.row['id']}: {', '.join(answer.causes)}: {answer.row['question']} {answer.error[:200]}")


def _groups(answers: Sequence[Answer]) -> Iterator[tuple[str, list[Answer]]]:
    yield "all", list(answers)
    for language in sorted({answer.row["lang"] for answer in answers}):
        yield f"  {language}", [answer for answer in answers if answer.row["lang"] == language]
    for folder in sorted({answer.folder for answer in answers}):
        yield f"  {folder}", [answer for answer in answers if answer.folder == folder]
