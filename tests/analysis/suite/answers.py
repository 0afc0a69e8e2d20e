"""What the product makes of the questions of the suite, and how that differs from the right reading.

`data/known_misses.txt` and `data/known_other_readings.txt` hold what is known: an id a line, and what is read.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from analysis.contracts.requirements import Reading
from analysis.requirements.reading import questions_embed
from analysis.services import question_answer
from benchmarks.analyze.tables import is_same_table
from tests.analysis.suite.rows import DATA, Row, Tables, right_reading

MISSES: Final = DATA / "known_misses.txt"
OTHER_READINGS: Final = DATA / "known_other_readings.txt"


@dataclass(frozen=True)
class Answered:
    """Whether the table is right, and what is read otherwise: empty where all six requirements are the same."""

    id: str
    is_right: bool
    otherwise: str


def answers_of(rows: Sequence[Row], tables: Tables) -> Iterator[Answered]:
    """Each question as the product answers it. Their words are embedded at once."""
    questions_embed([row["question"] for row in rows])
    for row in rows:
        yield _answered(row, tables)


def known_ids(text: str) -> frozenset[str]:
    """The ids of a list of what is known."""
    return frozenset(line.split()[0] for line in text.splitlines() if line and not line.startswith("#"))


def _answered(row: Row, tables: Tables) -> Answered:
    files = tables.files[row["table"]]
    try:
        analysis = question_answer(row["question"], source=files, schemas=files.schemas)
    except Exception as failure:  # a refusal or a crash is one wrong row, and the list says which
        return Answered(row["id"], is_right=False, otherwise=f"{type(failure).__name__}: {failure}")
    given = analysis.execution.table.rows
    is_right = is_same_table(tables.right_rows(row), given, is_ordered=row["ordered"])
    right = right_reading(row, tables.schema(row))
    return Answered(row["id"], is_right, "; ".join(_otherwise(analysis.reading, right, is_right=is_right)))


def _otherwise(reading: Reading, right: Reading, *, is_right: bool) -> Iterator[str]:
    """The requirements that differ; of a wrong table the figures too, which the six do not say."""
    read, wanted = (_parts(each.requirements.model_dump()) for each in (reading, right))
    for key in wanted:
        if read[key] != wanted[key]:
            yield f"{key}: {_text(read[key])} for {_text(wanted[key])}"
    if not is_right and _figures(reading) != _figures(right):
        yield f"figures: {_figures(reading)} for {_figures(right)}"


def _parts(requirements: dict[str, Any]) -> dict[str, list[str]]:
    """The six requirements as texts whose order does not count; the lists of a question have none."""
    time = requirements.pop("time")
    parts = {key: sorted(values) for key, values in requirements.items()}
    return parts | {"time": [time["column"], time["grain"]] if time["column"] != "unknown" else []}


def _text(values: Sequence[str]) -> str:
    return ", ".join(values) or "nothing"


def _figures(reading: Reading) -> str:
    figures = reading.details.aggregates
    return _text(sorted(f"{figure.func} of {figure.column or figure.name}" for figure in figures))
