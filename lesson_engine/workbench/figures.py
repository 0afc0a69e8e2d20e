"""How far grader and staff agree, as it is shown: by question, the worst first, and by version of the grader."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lesson_engine.agreement import Agreement
from lesson_engine.reviewed import AgreementRow, VerdictFilter, agreement, agreement_by_grader
from lesson_engine.workbench.addresses import bench_url

ROWS_SHOWN: Final = 200
"""Rows of questions; the worst are among them, and filters lead to the others."""
_GROUPS: Final[tuple[tuple[str | Promise, dict[str, bool]], ...]] = (
    (_("sure, at random"), {"doubtful": False, "drawn": True}),
    (_("in doubt"), {"doubtful": True}),
    (_("sure, chosen"), {"doubtful": False, "drawn": False}),
)


@dataclass(frozen=True)
class Row:
    """One row with all that is drawn of it, in per cent. `url` leads to what staff looked at of it."""

    of: AgreementRow
    url: str
    group: str | Promise

    @property
    def numbers(self) -> Agreement:
        """The numbers as they are counted."""
        return self.of.numbers

    @property
    def percent(self) -> int:
        """Share of agreement."""
        return round(100 * self.numbers.share)

    @property
    def low(self) -> int:
        """Lower end of the interval."""
        return round(100 * self.numbers.low)

    @property
    def high(self) -> int:
        """Upper end of the interval."""
        return round(100 * self.numbers.high)

    @property
    def point(self) -> int:
        """Where the share is marked, inside the picture also at its right end."""
        return min(99, self.percent)

    @property
    def width(self) -> int:
        """How far the interval reaches, so that it can be seen."""
        return max(1, self.high - self.low)


@dataclass(frozen=True)
class Figures:
    """`questions` come the worst first; `hidden` of them are not shown."""

    graders: tuple[Row, ...]
    questions: tuple[Row, ...]
    hidden: int


def figures_of(wanted: VerdictFilter) -> Figures:
    """Two queries for each way in which verdicts came before staff; they read reviews and nothing else."""
    graders, questions = [], []
    for group, part in _GROUPS:
        narrowed = wanted.model_copy(update=part)
        graders += [_row(row, group) for row in agreement_by_grader(narrowed)]
        questions += [_row(row, group) for row in agreement(narrowed)]
    questions.sort(key=_worst_first)
    return Figures(
        graders=tuple(sorted(graders, key=lambda row: row.of.grader, reverse=True)),
        questions=tuple(questions[:ROWS_SHOWN]),
        hidden=len(questions[ROWS_SHOWN:]),
    )


def _worst_first(row: Row) -> tuple[float, int, str, str, str]:
    """By what agreement can be at best: one lone disagreement proves little and does not come on top."""
    return (row.numbers.high, -row.numbers.n, row.of.lesson, row.of.ask_code, row.of.grader)


def _row(row: AgreementRow, group: str | Promise) -> Row:
    queue = {"show": "reviewed", "lesson": row.lesson, "ask": row.ask_code, "grader": row.grader}
    return Row(row, bench_url(queue), group)
