"""Labelled answers: lessons written to learn from, the bundled lessons, BEETLE and SciEntsBank, and pairs of sentences.

`lessons/*.jsonl` are ours: written as busy teachers and their pupils would, a line a question, by people who had not
seen the grader. Nothing of the public sets is in this repository.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lesson_engine.contracts import Ask, DefinitionAnswer, LabelledAnswer, Misconception, OpenAnswer, VerdictResult
from lesson_engine.grading.vocabulary import lesson_vocabulary
from lesson_engine.lesson_file.lesson import lesson_read
from lesson_engine.player.outline import Outline

PUBLIC: Final = ("beetle", "scientsbank")
RIGHT, PARTLY, WRONG, NOT_RIGHT = 0, 1, 2, 3
"""Labels; the last one is partly right or wrong, where the set does not say which."""
LABELS: Final = {"accept": RIGHT, "partial": PARTLY, "reject": WRONG}
RESULTS: Final = (VerdictResult.ACCEPT, VerdictResult.PARTIAL, VerdictResult.REJECT)
_HERE: Final = Path(__file__).parent
_ROOT: Final = _HERE.parents[1]


@dataclass(frozen=True)
class Row:
    """One answer. `lesson` is what must not be split when lessons are held out: a lesson, a module, a question of
    BEETLE, which is one field. `weight` is what it counts in a fit.
    """

    dataset: str
    lesson: str
    question: str
    language: str
    ask: Ask
    vocabulary: frozenset[str]
    answer: str
    label: int
    kind: str = ""
    misconception: str | None = None
    weight: float = 1.0
    is_made: bool = False
    """Made of the lesson's texts, not written by anybody."""

    @property
    def accepted(self) -> tuple[str, ...]:
        """The author's answers."""
        texts: tuple[str, ...] = getattr(self.ask.answer, "accepted", ())
        return texts

    @property
    def ideas(self) -> tuple[tuple[str, ...], ...]:
        """The author's keyword groups."""
        groups: tuple[tuple[str, ...], ...] = getattr(self.ask.answer, "keyword_groups", ())
        return groups

    @property
    def as_example(self) -> LabelledAnswer:
        """As what staff said of an answer."""
        return LabelledAnswer(id=0, text=self.answer, result=RESULTS[min(self.label, WRONG)])


def written_rows(folder: Path = _HERE / "lessons") -> list[Row]:
    """The answers of the lessons that were written to learn from."""
    return [row for path in sorted(folder.rglob("*.jsonl"), key=lambda path: path.stem) for row in _written(path)]


def _written(path: Path) -> Iterator[Row]:
    for line in path.read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        wrong = [
            Misconception.model_construct(**{**idea, "examples": tuple(idea["examples"])})
            for idea in told["misconceptions"]
        ]
        ask = open_ask(told["question"], told["accepted"], told["keyword_groups"], wrong, told["objective"])
        for label, kind, answer, *code in told["answers"]:
            yield Row(
                dataset="written",
                lesson=path.stem,
                question=f"{path.stem}:{told['code']}",
                language=told["lang"],
                ask=ask,
                vocabulary=frozenset(),
                answer=answer,
                label=LABELS[label],
                kind=kind,
                misconception=code[0] if code else None,
            )


def open_ask(
    question: str,
    accepted: list[str],
    groups: list[list[str]] | None = None,
    misconceptions: list[Misconception] | None = None,
    objective: str = "",
) -> Ask:
    """An open ASK, without the limits of a lesson's page."""
    answer = OpenAnswer.model_construct(
        kind="open", accepted=tuple(accepted), keyword_groups=tuple(map(tuple, groups or ()))
    )
    return Ask.model_construct(
        type="ASK",
        code="ROW",
        question=question,
        objective=objective,
        answer=answer,
        misconceptions=tuple(misconceptions or ()),
        hints=(),
    )


def lesson_rows(lesson: Path, answers: list[dict[str, Any]], dataset: str) -> list[Row]:
    """Answers (`ask`, `student_answer`, `label`, `kind`, `misconception`) to the open questions of a lesson file."""
    read = lesson_read(lesson.read_bytes())
    outline, vocabulary = Outline(read), lesson_vocabulary(read)
    rows = []
    for told in answers:
        ask = outline.ask(told["ask"])
        if isinstance(ask.answer, OpenAnswer | DefinitionAnswer):
            rows.append(
                Row(
                    dataset=dataset,
                    lesson=read.meta.slug,
                    question=f"{read.meta.slug}:{ask.code}",
                    language=read.meta.language[:2],
                    ask=ask,
                    vocabulary=vocabulary,
                    answer=told["student_answer"],
                    label=LABELS[told["label"]],
                    kind=told.get("kind", ""),
                    misconception=told.get("misconception"),
                )
            )
    return rows


def bundled_rows() -> list[Row]:
    """What the bundled lessons were written with, and what others wrote for practice: `tests/data`."""
    labels = {"right": "accept", "partial": "partial", "wrong": "reject"}
    rows: list[Row] = []
    for lesson in sorted((_ROOT / "lesson_engine/lessons").glob("*.json")):
        for kind in ("answers", "practice"):
            by_code = json.loads((_ROOT / "tests/data" / f"{lesson.stem}_{kind}.json").read_text(encoding="utf-8"))
            told = [
                {"ask": code, "student_answer": answer, "label": labels[label], "kind": kind}
                for code, by_label in by_code.items()
                for label in labels
                for answer in by_label.get(label, ())
                if isinstance(answer, str)
            ]
            rows += lesson_rows(lesson, told, "bundled")
    return rows


def shared_rows(folder: Path) -> list[Row]:
    """The labelled answers of `folder/lessons`, to bundled lessons and to lessons beside them."""
    return _answered(folder / "lessons")


def sealed_rows() -> dict[str, list[Row]]:
    """Answers that are measured and never read: to lessons whose topics `lessons/` has too, and to others."""
    return {"sealed": _answered(_HERE / "held_out"), "sealed, new topics": _answered(_HERE / "held_out_2")}


def _answered(folder: Path) -> list[Row]:
    by_lesson: dict[str, list[dict[str, Any]]] = {}
    for path in sorted(folder.glob("answers*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            by_lesson.setdefault(told["lesson"], []).append(told)
    rows: list[Row] = []
    for slug, answers in by_lesson.items():
        beside = folder / f"{slug}.json"
        bundled = _ROOT / "lesson_engine/lessons" / f"{slug}.json"
        rows += lesson_rows(
            beside if beside.exists() else bundled, answers, "bundled" if bundled.exists() else "unseen"
        )
    return rows


def public_rows(folder: Path) -> list[Row]:
    """The rows of `grading/beetle_train.jsonl` and `grading/scientsbank_train.jsonl` in `folder`."""
    rows: list[Row] = []
    for name in PUBLIC:
        asks: dict[str, Ask] = {}
        for line in (folder / "grading" / f"{name}_train.jsonl").read_text(encoding="utf-8").splitlines():
            told = json.loads(line)
            ask = asks.setdefault(told["qid"], open_ask(told["question"], told["reference_answers"]))
            part = told["qid"] if name == "beetle" else told["module"]
            lesson, question = f"{name}:{part}", f"{name}:{told['qid']}"
            rows.append(
                Row(name, lesson, question, "en", ask, frozenset(), told["student_answer"], _public_label(told))
            )
    return rows


def _public_label(told: dict[str, Any]) -> int:
    if told["label_2way"] == "correct":
        return RIGHT
    if "label_5way" in told:
        return PARTLY if told["label_5way"] == "partially_correct_incomplete" else WRONG
    return WRONG if told["label_3way"] == "contradictory" else NOT_RIGHT


def pair_rows(folder: Path) -> list[Row]:
    """`similarity/pawsx_en_es.jsonl`: whether two sentences of the same words say the same."""
    rows = []
    for line in (folder / "similarity/pawsx_en_es.jsonl").read_text(encoding="utf-8").splitlines():
        told = json.loads(line)
        ask, name = open_ask("", [told["a"]]), f"pawsx:{told['id']}"
        label = RIGHT if told["label"] else NOT_RIGHT
        rows.append(Row("pawsx", name, f"{name}:{told['lang']}", told["lang"], ask, frozenset(), told["b"], label))
    return rows
