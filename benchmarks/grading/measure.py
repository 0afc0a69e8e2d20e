"""Measures the grader on lessons that its fit has not seen, beside the version before; see docs/grading.md."""

import argparse
import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from benchmarks.grading.data import (
    NOT_RIGHT,
    PARTLY,
    PUBLIC,
    RIGHT,
    WRONG,
    Row,
    public_rows,
    sealed_rows,
    shared_rows,
    written_rows,
)  # fmt: skip
from benchmarks.grading.splits import left_out
from gateway.services import texts_embed_locally
from lesson_engine.contracts import LabelledAnswer, Reply, VerdictResult
from lesson_engine.grading import grade
from lesson_engine.grading.meaning import judge

BEFORE: Final = Path(__file__).parent / "andamio_3.json"
"""What andamio-3 said of the same rows, a letter each: R, P or W, small where it was not sure."""
LABELS: Final[dict[VerdictResult, int]] = {VerdictResult.ACCEPT: RIGHT, VerdictResult.PARTIAL: PARTLY}
SHOWN: Final = (0, 5, 10, 20)
"""Labelled answers a question of the curve."""
ALIKE: Final = 0.8
BINS: Final = 10
Floats = Any


@dataclass(frozen=True)
class Judged:
    """Verdicts of rows: the result as a label, whether it was sure, and the misconception that was named."""

    results: Floats
    sure: Floats
    named: list[str | None]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.grading", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with grading/, similarity/ and lessons/")
    parser.add_argument(
        "--only",
        choices=("lessons", "public", "curve", "speed", "sealed"),
        help="one part; sealed is not among all",
    )
    chosen = parser.parse_args()
    written, public, shared = written_rows(), public_rows(chosen.data), shared_rows(chosen.data)
    unseen = left_out([*written, *public])
    lessons = [row for row in written if row.lesson in unseen]
    parts: dict[str, Callable[[], None]] = {
        "lessons": lambda: report_lessons(
            {
                "lessons left out": lessons,
                "shared, unseen": [row for row in shared if row.dataset == "unseen"],
                "shared, bundled": [row for row in shared if row.dataset == "bundled"],
            }
        ),
        "public": lambda: report_public([row for row in public if row.lesson in unseen]),
        "curve": lambda: report_curve(lessons, [row for row in public if row.lesson in unseen], shared),
        "speed": lambda: report_speed(lessons),
        "sealed": lambda: report_lessons(sealed_rows()),
    }
    for name, report in parts.items():
        if chosen.only == name or (chosen.only is None and name != "sealed"):
            report()


def judged(rows: Iterable[Row]) -> Judged:
    """By the whole grader."""
    verdicts = [
        grade(
            row.ask,
            Reply(text=row.answer),
            language=row.language,
            embed=texts_embed_locally,
            vocabulary=row.vocabulary,
        )
        for row in rows
    ]
    return Judged(
        results=np.array([LABELS.get(verdict.result, WRONG) for verdict in verdicts]),
        sure=np.array([not verdict.doubtful for verdict in verdicts]),
        named=[verdict.misconception for verdict in verdicts],
    )


def report_lessons(sets: Mapping[str, Sequence[Row]]) -> None:
    """Agreement with the teacher, how often a sure verdict is the opposite, and whether probabilities hold."""
    before = json.loads(BEFORE.read_text(encoding="utf-8"))
    print("Free words, beside andamio-3. Not sure counts as partly right.")
    for name, rows in sets.items():
        labels, after = np.array([row.label for row in rows]), judged(rows)
        print(f"\n{name}: {len(rows):,} answers, {len({row.question for row in rows})} questions")
        letters = before.get(name, "")
        if len(letters) == len(rows):
            results = np.array(["RPW".index(letter.upper()) for letter in letters])
            print("  before", _agreement(labels, results, np.array([letter.isupper() for letter in letters])))
        print("  after ", _agreement(labels, after.results, after.sure))
        print("  " + _misconceptions(rows, after))
        for kind in sorted({row.kind for row in rows}):
            own = np.array([row.kind == kind for row in rows])
            counts = [int(((after.results == result) & own & after.sure).sum()) for result in (RIGHT, WRONG)]
            print(f"    {kind:20} {own.sum():5}: sure right {counts[0]}, sure wrong {counts[1]}")
    first, *_ = sets
    print(f"\nProbabilities, {first}")
    _reliability(sets[first])


def _agreement(labels: Floats, results: Floats, sure: Floats) -> str:
    def share(part: Floats, whole: Floats) -> str:
        return f"{part.sum() / max(1, whole.sum()):.3f}"

    wrong, right, partly = labels == WRONG, labels == RIGHT, labels == PARTLY
    accepted, rejected = sure & (results == RIGHT), sure & (results == WRONG)
    return (
        f"as the teacher {(results == labels).mean():.3f}; sure {sure.mean():.2f}, of these wrong accepted"
        f" {share(accepted & wrong, sure & wrong)}, right rejected {share(rejected & right, sure & right)};"
        f" partly right accepted {share(accepted & partly, partly)}, rejected {share(rejected & partly, partly)}"
    )


def _misconceptions(rows: Sequence[Row], after: Judged) -> str:
    said = [(row.misconception, named) for row, named in zip(rows, after.named, strict=True) if row.misconception]
    false = sum(row.label == RIGHT and named is not None for row, named in zip(rows, after.named, strict=True))
    return f"misconceptions named {sum(a == b for a, b in said)} of {len(said)}; in right answers {false}"


def _reliability(rows: Sequence[Row]) -> None:
    """How often answers are right, and wrong, that are said to be so with a probability."""
    said = [_probabilities(row) for row in rows]
    labels = np.array([row.label for row in rows])
    for name, at, label in (("right", 0, RIGHT), ("wrong", 2, WRONG)):
        chances, were = np.array([one[at] for one in said]), labels == label
        print(f"\n  said {name}   were {name}   answers")
        error = 0.0
        for low in range(BINS):
            own = (chances >= low / BINS) & ((chances < (low + 1) / BINS) | (low == BINS - 1))
            if own.any():
                error += own.mean() * abs(chances[own].mean() - were[own].mean())
                bar = "#" * round(40 * were[own].mean())
                print(f"  {chances[own].mean():.2f}   {were[own].mean():.2f} {bar:40} {own.sum():5}")
        print(f"  expected calibration error {error:.3f}")


def _probabilities(row: Row, examples: Sequence[LabelledAnswer] = ()) -> tuple[float, float, float]:
    told = judge(
        row.ask,
        row.answer,
        language=row.language,
        vocabulary=row.vocabulary,
        examples=examples,
    )
    return told.right, told.partly, told.wrong


def report_public(rows: Sequence[Row]) -> None:
    """Two-way macro-F1 where modules and questions were left out, at the best cut of the other half."""
    print("\nPublic sets, modules of SciEntsBank and questions of BEETLE left out")
    for name in PUBLIC:
        own = [row for row in rows if row.dataset == name]
        right = np.array([_probabilities(row)[0] for row in own])
        labels = np.array([row.label == RIGHT for row in own])
        cut = max(np.arange(0.2, 0.8, 0.02), key=lambda cut: macro_f1(labels[::2], right[::2] >= cut))
        after = judged(own)
        print(
            f"  {name:12} {len(own):5} answers: {macro_f1(labels[1::2], right[1::2] >= cut):.3f};"
            f" sure {after.sure.mean():.2f}, of these as the teacher"
            f" {((after.results == RIGHT) == labels)[after.sure].mean():.3f}"
        )


def macro_f1(right: Floats, accepted: Floats) -> float:
    """Of two classes."""

    def f1(wanted: Floats, given: Floats) -> float:
        return float(2 * (wanted & given).sum() / max(1, wanted.sum() + given.sum()))

    return (f1(right, accepted) + f1(~right, ~accepted)) / 2


def report_curve(lessons: Sequence[Row], public: Sequence[Row], shared: Sequence[Row]) -> None:
    """Agreement after so many decisions a question: of groups of like answers, and of single ones at random."""
    print("\nAgreement after decisions a question, by groups of like answers and by single ones at random")
    sets = {name: [row for row in public if row.dataset == name] for name in PUBLIC}
    for name, rows in {**sets, "shared": list(shared), "lessons left out": list(lessons)}.items():
        by_question = defaultdict(list)
        for row in rows:
            by_question[row.question].append(row)
        for way in (_of_groups, _at_random):
            agreed: dict[int, list[bool]] = {decisions: [] for decisions in SHOWN}
            for question, answers in sorted(by_question.items()):
                chance = random.Random(question)
                chance.shuffle(answers)
                half = len(answers) // 2
                for decisions in SHOWN:
                    told = way(answers[:half], decisions)
                    agreed[decisions] += [_agrees(row, told) for row in answers[half:][:20]]
            figures = ", ".join(f"{decisions}: {np.mean(agreed[decisions]):.3f}" for decisions in SHOWN)
            print(f"  {name:18} {way.__name__.strip('_').replace('_', ' '):10} {figures}")


def _agrees(row: Row, examples: Sequence[LabelledAnswer]) -> bool:
    said = int(np.argmax(_probabilities(row, examples)))
    return (said == RIGHT) == (row.label == RIGHT) if row.dataset in PUBLIC else said == row.label


def _at_random(pool: Sequence[Row], decisions: int) -> list[LabelledAnswer]:
    return [row.as_example for row in pool[:decisions] if row.label != NOT_RIGHT or row.dataset in PUBLIC]


def _of_groups(pool: Sequence[Row], decisions: int) -> list[LabelledAnswer]:
    """The largest groups first; every member gets what is said of the first."""
    if not pool:
        return []
    vectors = texts_embed_locally([row.answer for row in pool])
    alike, left, groups = vectors @ vectors.T >= ALIKE, set(range(len(pool))), list[list[int]]()
    while left and len(groups) < decisions:
        first = max(sorted(left), key=lambda at: sum(alike[at, other] for other in left))
        groups.append([first, *(other for other in sorted(left) if alike[first, other] and other != first)])
        left -= set(groups[-1])
    return [
        LabelledAnswer(id=at, text=pool[at].answer, result=pool[group[0]].as_example.result)
        for group in groups
        for at in group
    ]


def report_speed(rows: Sequence[Row]) -> None:
    """What a grade costs on one core: of an answer never seen, to a question that was."""
    sample = rows[:: max(1, len(rows) // 400)]
    judged(sample)
    costs = []
    for row in sample:
        words = row.answer.split()
        random.Random(row.answer).shuffle(words)  # nothing of it is remembered as a whole
        begun = time.process_time()
        grade(
            row.ask,
            Reply(text=" ".join(words)),
            language=row.language,
            embed=texts_embed_locally,
            vocabulary=row.vocabulary,
        )
        costs.append(1000 * (time.process_time() - begun))
    print(f"\nA grade: median {np.median(costs):.1f} ms of one core, 95th percentile {np.quantile(costs, 0.95):.1f} ms")
