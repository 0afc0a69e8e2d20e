"""How far grader and staff agree, as it is shown: by question, the worst first, and by version of the grader."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lesson_engine.workbench.addresses import bench_url
from lesson_engine.workbench.reviewed import AgreementRow, VerdictFilter, agreement, agreement_by_grader

ROWS_SHOWN: Final = 200
"""Rows of questions; the worst are among them, and filters lead to the others."""
_GROUPS: Final[tuple[tuple[str | Promise, dict[str, bool]], ...]] = (
    (_("sure, at random"), {"doubtful": False, "drawn": True}),
    (_("in doubt"), {"doubtful": True}),
    (_("sure, chosen"), {"doubtful": False, "drawn": False}),
)


@dataclass(frozen=True)
class AgreementView:
    """One row with all that is drawn of it, in per cent. `url` leads to what staff looked at of it."""

    of: AgreementRow
    url: str
    group: str | Promise

    @property
    def percent(self) -> int:
        return round(100 * self.of.share)

    @property
    def low(self) -> int:
        return round(100 * self.of.low)

    @property
    def high(self) -> int:
        return round(100 * self.of.high)

    @property
    def point(self) -> int:
        """Where the share is marked, inside the picture also at its right end."""
        return min(99, self.percent)

    @property
    def width(self) -> int:
        """How far the interval reaches, so that it can be seen."""
        return max(1, self.high - self.low)


@dataclass(frozen=True)
class AgreementPage:
    """`questions` come the worst first; `hidden` of them are not shown."""

    graders: tuple[AgreementView, ...]
    questions: tuple[AgreementView, ...]
    hidden: int


def agreement_page(wanted: VerdictFilter) -> AgreementPage:
    """Two queries for each way in which verdicts came before staff; they read reviews and nothing else."""
    graders, questions = [], []
    for group, part in _GROUPS:
        narrowed = wanted.model_copy(update=part)
        graders += [_row(row, group) for row in agreement_by_grader(narrowed)]
        questions += [_row(row, group) for row in agreement(narrowed)]
    # By what agreement can be at best: one lone disagreement proves little and does not come on top.
    questions.sort(key=lambda row: (row.of.high, -row.of.n, row.of.lesson, row.of.ask, row.of.grader))
    return AgreementPage(
        graders=tuple(sorted(graders, key=lambda row: row.of.grader, reverse=True)),
        questions=tuple(questions[:ROWS_SHOWN]),
        hidden=len(questions[ROWS_SHOWN:]),
    )


def _row(row: AgreementRow, group: str | Promise) -> AgreementView:
    queue = {"show": "reviewed", "lesson": row.lesson, "ask": row.ask, "grader": row.grader}
    return AgreementView(row, bench_url(queue), group)
