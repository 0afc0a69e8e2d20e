"""The marked questions that the models of Analyze are fitted on: `questions/`, written for this project.

`<set>/schemas.json` has tables, `<set>/questions.jsonl` questions with their meaning (`sketch`) and, where somebody
marked them, the words that carry it (`mentions`).
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from analysis.contracts.tables import Column, TableSchema
from analysis.requirements.spans import Question, questions_prepare

FOLDER: Final = Path(__file__).parent / "questions"
_AT_ONCE: Final = 200


@dataclass
class Row:
    """A question over a table, with what it means."""

    question: Question
    schema: TableSchema
    group: str
    sketch: dict[str, Any]
    mentions: Sequence[dict[str, Any]]

    @property
    def is_labelled(self) -> bool:
        """Whether somebody said which labels the question asks for."""
        return "analysis" in self.sketch

    def place(self, name: str) -> int | None:
        """The number of the column of this name, capitals aside."""
        return next((at for at, column in enumerate(self.schema.columns) if column.name.lower() == name.lower()), None)

    def words(self, text: str) -> tuple[int, int] | None:
        """The words of the question that a text is: the first, and the one after the last."""
        start = self.question.text.find(text)
        if start < 0:
            return None
        places = [
            place
            for place, token in enumerate(self.question.tokens)
            if token.start < start + len(text) and token.end > start
        ]
        return (places[0], places[-1] + 1) if places else None


def rows_read(folder: Path = FOLDER) -> list[Row]:
    """All rows of all sets of a folder, with the vectors of their words."""
    rows = [row for part in sorted(folder.iterdir()) if part.is_dir() for row in _rows(part)]
    for start in range(0, len(rows), _AT_ONCE):
        questions_prepare([row.question for row in rows[start : start + _AT_ONCE]])
    return rows


def _rows(part: Path) -> Iterator[Row]:
    schemas = json.loads((part / "schemas.json").read_text(encoding="utf-8"))
    tables = {name: _schema(schema) for name, schema in schemas.items()}
    for line in (part / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name = row["schema"]
        yield Row(
            Question(row["question"]), tables[name], f"{part.name}/{name}", row["sketch"], row.get("mentions", ())
        )


def _schema(schema: dict[str, Any]) -> TableSchema:
    columns = [
        Column(
            name=column["name"],
            type=column["type"],
            values=tuple(map(str, column.get("values", ()))),
            complete=column.get("complete", False),
            distinct=column.get("distinct"),
            lowest=column.get("lowest"),
            highest=column.get("highest"),
        )
        for column in schema["columns"]
    ]
    return TableSchema(table=schema["table"], columns=tuple(columns))
