"""Which lessons are left out of a fit: the same at each run, so that they can be measured afterwards."""

import random
from collections.abc import Sequence
from pathlib import Path

from benchmarks.grading.data import PUBLIC, Row

ONE_IN = 6
LEFT_OUT = Path(__file__).parent / "lessons/left_out"


def left_out(rows: Sequence[Row]) -> set[str]:
    """Our lessons of a folder of their own, and one module in six of SciEntsBank, one question in six of BEETLE."""
    ours = {path.stem for path in LEFT_OUT.glob("*.jsonl")}
    return ours | {lesson for name in PUBLIC for lesson in _of(name, rows)}


def _of(dataset: str, rows: Sequence[Row]) -> list[str]:
    lessons = sorted({row.lesson for row in rows if row.dataset == dataset})
    random.Random(1).shuffle(lessons)
    return lessons[::ONE_IN]
