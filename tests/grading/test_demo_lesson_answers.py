"""Answers to the demo lesson as learners word them, labelled by hand, graded with the embedder of production."""

import json
import statistics
import time
from pathlib import Path

from lesson_engine.contracts import Ask, ChoiceAnswer, Lesson, MultiChoiceAnswer, Reply, VerdictResult
from lesson_engine.grading import Embed, grade

ROOT = Path(__file__).parents[2]
EXPECTED = {"right": VerdictResult.ACCEPT, "partial": VerdictResult.PARTIAL, "wrong": VerdictResult.REJECT}
Graded = list[tuple[str, str, str, VerdictResult, str]]


def asks() -> dict[str, Ask]:
    lesson = Lesson.model_validate_json((ROOT / "lesson_engine/lessons/fotosintesis.json").read_bytes())
    return {step.code: step for moment in lesson.moments for step in moment.steps if isinstance(step, Ask)}


def replies() -> list[tuple[str, str, Reply]]:
    """Code of the ASK, label, reply."""
    labelled = json.loads((ROOT / "tests/data/fotosintesis_answers.json").read_text(encoding="utf-8"))
    by_code = asks()
    return [
        (code, label, _reply(by_code[code], said))
        for code, by_label in labelled.items()
        for label, answers in by_label.items()
        for said in answers
    ]


def _reply(ask: Ask, said: str | list[str]) -> Reply:
    if isinstance(said, list):
        return Reply(choices=tuple(said))
    return Reply(choices=(said,)) if isinstance(ask.answer, ChoiceAnswer | MultiChoiceAnswer) else Reply(text=said)


def graded(embed: Embed) -> Graded:
    by_code = asks()
    rows: Graded = []
    for code, label, reply in replies():
        verdict = grade(by_code[code], reply, language="es", embed=embed)
        rows.append((code, label, reply.text or ", ".join(reply.choices), verdict.result, verdict.rule))
    return rows


def failures(rows: Graded) -> str:
    return "\n".join(
        f"{code}: {label} graded {result} by {rule}: {text}"
        for code, label, text, result, rule in rows
        if result is not EXPECTED[label]
    )


def test_learners_are_graded_as_a_teacher_would(embed: Embed) -> None:
    rows = graded(embed)
    report = failures(rows)
    right = [result for _, label, _, result, _ in rows if label == "right"]
    wrong = [result for _, label, _, result, _ in rows if label == "wrong"]
    assert len(rows) >= 60
    assert right.count(VerdictResult.ACCEPT) >= 0.95 * len(right), report
    assert VerdictResult.REJECT not in right, report
    assert wrong.count(VerdictResult.ACCEPT) < 0.03 * len(wrong), report
    assert sum(result is EXPECTED[label] for _, label, _, result, _ in rows) >= 0.9 * len(rows), report


def test_a_grade_costs_no_more_than_a_few_embeddings(embed: Embed) -> None:
    by_code, said = asks(), replies()
    graded(embed)
    took, floor = [], []
    for code, _, reply in said:
        if not reply.text:
            continue
        # A trailing dot makes it a text that the embedder has not seen, as a learner's is.
        fresh = Reply(text=reply.text + " .")
        start = time.perf_counter()
        grade(by_code[code], fresh, language="es", embed=embed)
        took.append(time.perf_counter() - start)
        start = time.perf_counter()
        embed([reply.text + " !"])
        floor.append(time.perf_counter() - start)
    assert statistics.median(took) < 8 * statistics.median(floor)
