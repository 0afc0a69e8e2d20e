"""Labelled answers: BEETLE and SciEntsBank (SemEval-2013 Task 7), and those of the bundled lessons."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lesson_engine.contracts import Ask, DefinitionAnswer, OpenAnswer
from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.player.outline import Outline

SETS = ("beetle", "scientsbank")
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Row:
    """One answer. `group` is what must not be split when questions are held out, `domain` when whole fields are."""

    dataset: str
    group: str
    domain: str
    question: str
    references: tuple[str, ...]
    answer: str
    label: str
    """right, partial or wrong; of the public sets only right and wrong."""
    language: str = "en"
    ask: Ask | None = None

    @property
    def right(self) -> bool:
        """Partly right is not right."""
        return self.label == "right"


def public_rows(folder: Path) -> list[Row]:
    """The rows of `beetle_train.jsonl` and `scientsbank_train.jsonl` in `folder`."""
    return [row for name in SETS for row in _read(folder / f"{name}_train.jsonl", name)]


def _read(path: Path, name: str) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        yield Row(
            dataset=name,
            group=f"{name}:{row['qid']}",
            # BEETLE is one field throughout: its questions are held out instead.
            domain=f"{name}:{row['qid'] if name == 'beetle' else row['module']}",
            question=row["question"],
            references=tuple(row["reference_answers"]),
            answer=row["student_answer"],
            label="right" if row["label_2way"] == "correct" else "wrong",
        )


def lesson_rows() -> list[Row]:
    """The labelled answers to the open questions of the bundled lessons"""
    return [row for path in sorted((_ROOT / "lesson_engine/lessons").glob("*.json")) for row in _of_lesson(path)]


def _of_lesson(path: Path) -> Iterator[Row]:
    lesson = lesson_read(path.read_bytes())
    outline = Outline(lesson)
    for code, label, reply in _labelled(lesson.meta.slug):
        ask = outline.ask(code)
        if isinstance(ask.answer, OpenAnswer | DefinitionAnswer):
            yield Row(
                dataset="lessons",
                group=f"lessons:{lesson.meta.slug}:{code}",
                domain=f"lessons:{lesson.meta.slug}",
                question=ask.question,
                references=ask.answer.accepted,
                answer=reply,
                label=label,
                language=lesson.meta.language[:2],
                ask=ask,
            )


def _labelled(slug: str) -> Iterator[tuple[str, str, str]]:
    """Code, label and reply: what the lessons were written with, and what others wrote for practice."""
    for kind in ("answers", "practice"):
        path = _ROOT / "tests/data" / f"{slug}_{kind}.json"
        for code, answers in json.loads(path.read_text(encoding="utf-8")).items():
            for label in ("right", "partial", "wrong"):
                yield from ((code, label, reply) for reply in answers.get(label, ()) if isinstance(reply, str))


def column(rows: list[Row], name: str) -> NDArray[np.str_]:
    """One field of every row."""
    return np.array([getattr(row, name) for row in rows])
