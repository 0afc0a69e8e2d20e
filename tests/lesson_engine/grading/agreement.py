"""How often the grader is sure of answers that a teacher labelled, and how often it is then wrong."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lesson_engine.contracts import Verdict

ZONES = {"right": "sure_right", "partial": "sure_partly", "wrong": "sure_wrong"}
OPPOSITES = {("right", "sure_wrong"), ("wrong", "sure_right")}


@dataclass(frozen=True)
class LabelledVerdict:
    """The verdict on an answer that a teacher called right, partial or wrong."""

    label: str
    verdict: Verdict
    answer: str

    @property
    def is_sure(self) -> bool:
        return self.verdict.zone != "not_sure"

    @property
    def is_opposite(self) -> bool:
        """Whether it is sure right where the teacher says wrong, or the other way round."""
        return (self.label, self.zone) in OPPOSITES

    @property
    def is_different(self) -> bool:
        """Whether it is sure of something else than what the teacher says."""
        return self.is_sure and self.zone != ZONES[self.label]

    @property
    def zone(self) -> str:
        """What cannot be graded is as wrong to a teacher."""
        return "sure_wrong" if self.verdict.zone == "not_graded" else self.verdict.zone

    def __str__(self) -> str:
        return f"{self.label}: {self.zone} by {self.verdict.rule} ({self.verdict.score:.2f}): {self.answer}"


def assert_agreement(
    rows: Sequence[LabelledVerdict], *, least_sure: float, most_opposite: float, most_different: float
) -> None:
    """`least_sure` is a share of all rows; the others are shares of those that the grader is sure of."""
    sure = [row for row in rows if row.is_sure]
    opposite = sum(row.is_opposite for row in sure)
    different = sum(row.is_different for row in sure)
    told = f"{len(rows)} answers, {len(sure)} sure, {opposite} opposite, {different} different\n{report(rows)}"
    assert len(sure) >= least_sure * len(rows), told
    assert opposite <= most_opposite * len(sure), told
    assert different <= most_different * len(sure), told


def report(rows: Iterable[LabelledVerdict]) -> str:
    """How often each label was graded how, and every sure verdict that is not the teacher's."""
    table = Counter((row.label, row.zone) for row in rows)
    counts = [f"{label}, {zone}: {count}" for (label, zone), count in sorted(table.items())]
    return "\n".join([*counts, *(str(row) for row in rows if row.is_different)])
