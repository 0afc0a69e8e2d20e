"""Which lessons are left out of a fit: the same at each run, so that they can be measured afterwards."""

import random
from collections.abc import Sequence

from benchmarks.grading.data import PUBLIC, Row

ONE_IN = 6


def left_out(rows: Sequence[Row]) -> set[str]:
    """One lesson in six of each dataset: modules of SciEntsBank, questions of BEETLE, our lessons."""
    return {lesson for name in ("written", *PUBLIC) for lesson in _of(name, rows)}


def _of(dataset: str, rows: Sequence[Row]) -> list[str]:
    lessons = sorted({row.lesson for row in rows if row.dataset == dataset})
    random.Random(1).shuffle(lessons)
    return lessons[::ONE_IN]
