"""A question on its way to a meaning: what is known, how likely it is, and what is decided so far."""

from typing import Final

import numpy as np

from analysis.contracts.requirements import (
    Filter,
)
from analysis.requirements.amounts import Amount
from analysis.requirements.chances import Chances
from analysis.requirements.evidence import Evidence
from analysis.requirements.meaning import Meaning, Reason
from analysis.requirements.pairing import Pair
from analysis.requirements.spans import Span

LIKELY: Final = 0.5
CLEARLY: Final = 0.6
SECOND: Final = 0.6
"""The probability from which a column is one more group or figure beside the first."""
SMALL_WORDS: Final = frozenset(
    ["of", "the", "a", "an", "in", "de", "del", "la", "el", "los", "las", "lo", "un", "una", "que"]
)
LISTED: Final = 0.3
"""The probability from which a column is shown in a list."""
OF_ROWS: Final = ("scatter", "box", "histogram")
"""Charts of bare values."""
MOST_GROUPS: Final = 3
"""Groups of one question; more are hardly ever meant."""


class Case:
    """A question with the probabilities of its decisions; `meaning` is filled in as they are taken.

    `pair`: what is aggregated and over what, None where plain rows are wanted. `limit_amount`: the number that says how
    many rows are wanted.
    """

    def __init__(self, evidence: Evidence) -> None:
        self.evidence, self.columns = evidence, evidence.schema.columns
        self.chances = Chances(evidence)
        self.meaning = Meaning(language=evidence.question.language)
        self.limit_amount: Amount | None = None
        self.pair: Pair | None = None

    def is_of_rows(self) -> bool:
        """Whether plain rows are wanted, so that nothing is aggregated."""
        return self.chances.decisions["bare"] > LIKELY or any(self.cue(f"chart:{chart}")[0] > 0.6 for chart in OF_ROWS)

    def cue(self, label: str) -> tuple[float, Span | None]:
        """How strong a cue is at its strongest: 1 and more where it is one of the phrases; and the span."""
        cues = self.evidence.cues
        if not len(cues.likely):
            return 0.0, None
        at = cues.column(label)
        strength = np.where(
            cues.listed[:, at] > 0,
            1 + 0.01 * np.array([span.size for span in self.evidence.question.spans]),
            cues.likely[:, at],
        )
        place = int(strength.argmax())
        return float(strength[place]), self.evidence.question.spans[place]

    def text(self, span: Span | None) -> str:
        return self.evidence.question.phrase(span.start, span.end) if span else ""

    def reason(self, label: str, probability: float) -> Reason:
        """The words of the strongest cue of a label, where it has one."""
        if label not in self.evidence.cues.labels:
            return Reason("", probability)
        strength, span = self.cue(label)
        return Reason(self.text(span) if strength > 0.5 else "", probability)

    def named_by(self, at: int) -> str:
        """The words that name a column, none where they hardly do."""
        links = self.evidence.links
        if not len(links) or links[:, at].max() < 0.3:
            return ""
        return self.text(self.evidence.question.spans[int(links[:, at].argmax())])

    def reason_of(self, at: int, role: list[float]) -> Reason:
        rivals = sorted(
            (other for other in range(len(role)) if other != at and role[other] > 0.1), key=lambda other: -role[other]
        )
        return Reason(self.named_by(at), role[at], tuple(self.columns[other].name for other in rivals[:3]))

    def link_of(self, name: str | None) -> float:
        """How clearly a column is named anywhere in the question."""
        at = next((at for at, column in enumerate(self.columns) if column.name == name), None)
        return 0.0 if at is None or not len(self.evidence.links) else float(self.evidence.links[:, at].max())

    def is_number(self, name: str) -> bool:
        column = self.evidence.schema.column(name)
        return bool(column and column.is_number)

    def is_time(self, condition: Filter) -> bool:
        column = self.evidence.schema.column(condition.column)
        return bool(column and column.is_time)

    def is_listed(self, cue: Span, *labels: str) -> bool:
        place = self.evidence.question.place(cue)
        return any(self.evidence.cues.listed[place, self.evidence.cues.column(label)] for label in labels)

    def is_bare(self) -> bool:
        return all(figure.func == "none" for figure in self.meaning.figures)
