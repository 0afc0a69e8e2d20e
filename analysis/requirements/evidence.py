"""Everything that is known of a question before it is decided on: cues, columns, values, amounts and periods."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from analysis.contracts.tables import TableSchema
from analysis.requirements import linking
from analysis.requirements.amounts import Amount, amounts_of
from analysis.requirements.cues import Cues, cues_of
from analysis.requirements.models import Model, models_read
from analysis.requirements.periods import Period, periods_of
from analysis.requirements.spans import Question, Span
from analysis.requirements.valuing import Candidate, exactness, value_candidates

Floats = npt.NDArray[np.float32]
MODELS: Final = Path(__file__).parent / "data" / "models.npz"
_CLEARLY: Final = 0.7
NAMED: Final = 0.5
"""The probability from which a value is taken to be named."""


@cache
def models() -> dict[str, Model]:
    return models_read(MODELS)


@dataclass(frozen=True, slots=True)
class Named:
    """A value that is named, with its words (`start` to `end` of the question's words) and probability."""

    column: int
    value: str
    start: int
    end: int
    probability: float


class Evidence:
    """`links` is spans by columns, `values` candidates with a probability each; both are computed where they are not
    given (when a model is fitted they come from one that has not seen the question).
    """

    def __init__(
        self,
        question: Question,
        schema: TableSchema,
        *,
        cues: Cues | None = None,
        links: Floats | None = None,
        values: tuple[Sequence[Candidate], Floats] | None = None,
    ) -> None:
        self.question, self.schema = question, schema
        self.cues = cues if cues is not None else cues_of(question)
        self._given_links, self._given_values = links, values

    @cached_property
    def links(self) -> Floats:
        """The probability that a span means a column."""
        if self._given_links is not None:
            return self._given_links
        features = linking.column_features(self.question, self.schema)
        may_name = linking.may_name(self.question, features, self.cues.listed)
        possible = (may_name > 0) & linking.is_near(features)
        links = np.zeros(features.shape[:2], dtype=np.float32)
        links[possible] = models()["link"].probabilities(features[possible])
        exact: npt.NDArray[np.float32] = np.maximum(links, linking.exactness(features)) * may_name
        return exact

    @cached_property
    def values(self) -> tuple[Sequence[Candidate], Floats]:
        """The candidates for values that are named, and the probability of each."""
        if self._given_values is not None:
            return self._given_values
        candidates, rows = value_candidates(self.question, self.schema)
        return candidates, np.maximum(models()["value"].probabilities(rows), exactness(rows)).astype(np.float32)

    @cached_property
    def amounts(self) -> list[Amount]:
        return amounts_of(self.question.text, self.question.language)

    @cached_property
    def periods(self) -> list[Period]:
        """Periods, where the table has a column to hold them against."""
        return periods_of(self.question.text)

    @cached_property
    def named(self) -> list[Named]:
        """The values that are named: the likeliest first, no word twice but for values of one column side by side."""
        candidates, likely = self.values
        chosen: list[Named] = []
        for number in np.argsort(-np.asarray(likely), kind="stable"):
            if likely[number] < NAMED:
                break
            candidate = candidates[number]
            span = self.question.spans[candidate.span]
            is_free = all(span.end <= other.start or other.end <= span.start for other in chosen)
            if is_free and not self._is_of_name(candidate, span):
                chosen.append(Named(candidate.column, candidate.value, span.start, span.end, float(likely[number])))
        return sorted(chosen, key=lambda value: value.start)

    def _is_of_name(self, candidate: Candidate, span: Span) -> bool:
        """Whether the words are a part of the words that name another column: "granted" in "the amount granted"."""
        return any(
            other.start <= span.start and span.end <= other.end and other.size > span.size
            and self.links[place].max() > _CLEARLY and int(self.links[place].argmax()) != candidate.column
            for place, other in enumerate(self.question.spans)
        )  # fmt: skip

    @cached_property
    def taken(self) -> npt.NDArray[np.bool_]:
        """For each word whether it belongs to a value, an amount or a period."""
        taken = np.zeros(len(self.question.tokens), dtype=bool)
        for value in self.named:
            taken[value.start : value.end] = True
        for start, end in [(period.start, period.end) for period in self.periods] + [
            (amount.number_start, amount.number_end) for amount in self.amounts
        ]:
            for place, token in enumerate(self.question.tokens):
                if token.start < end and start < token.end:
                    taken[place] = True
        return taken
