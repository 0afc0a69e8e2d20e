"""Which stored values a question names: features of spans held against the values of columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from analysis.contracts.tables import Column, TableSchema
from analysis.requirements.groups import VALUES, groups_of, groups_within
from analysis.requirements.linking import name_read, names_of, threes_of
from analysis.requirements.spans import Question, Span
from gateway.services import texts_embed_locally
from language.fold import fold
from language.frequency import frequencies
from language.stems import stem
from language.tokens import words_of

Floats = npt.NDArray[np.float32]
FEATURES: Final = (
    "same", "same_stems", "within_value", "within_span", "letters", "cosine", "named_cosine", "margin", "group",
    "part_group", "code", "numeric", "boolean", "size", "common", "capital", "column_cosine", "rival", "values",
    "length",
)  # fmt: skip
EMBEDDED_AT_MOST: Final = 60
"""A column with more values is searched by words alone."""
_NEAR: Final = 0.42
"""The cosine from which a value is a candidate that shares no word."""
_YES: Final = frozenset({"true", "yes", "si", "y", "s", "1"})
_NO: Final = frozenset({"false", "no", "n", "0"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value that a span may name; of a column of yes and no, `value` is what yes is stored as."""

    span: int
    column: int
    value: str


@dataclass(frozen=True)
class Value:
    """A stored value, read."""

    text: str
    folded: str
    words: tuple[str, ...]
    stems: frozenset[str]
    threes: frozenset[str]


@lru_cache(32_768)
def value_read(text: str) -> Value:
    words = tuple(words_of(text))
    folded = fold(text).strip()
    return Value(text, folded, words, frozenset(map(stem, words)), threes_of(folded))


def yes_of(column: Column) -> str | None:
    """What yes is stored as in a column of yes and no; None for any other column."""
    if column.type == "boolean":
        return "true"
    folded = {fold(value).strip(): value for value in column.values}
    if column.complete is False and column.distinct is not None and column.distinct > 2:
        return None
    if 1 <= len(folded) <= 2 and set(folded) <= _YES | _NO and not set(folded).isdisjoint(_YES):
        return next(value for key, value in folded.items() if key in _YES)
    return None


def no_of(column: Column) -> str:
    """What no is stored as in a column of yes and no."""
    return next((value for value in column.values if fold(value).strip() in _NO), "false")


def value_candidates(question: Question, schema: TableSchema) -> tuple[list[Candidate], Floats]:
    """The values that spans of the question may name, and a row of features for each."""
    finder = _Finder(question)
    for at, column in enumerate(schema.columns):
        finder.look(at, column)
    return finder.result()


class _Finder:
    def __init__(self, question: Question) -> None:
        self.question = question
        self.candidates: list[Candidate] = []
        self.rows: list[list[float]] = []
        self.listed = frequencies(question.language)

    def look(self, at: int, column: Column) -> None:
        """Add the candidates of one column."""
        if not self.question.spans or column.is_time:
            return
        names = [name_read(name).text for name in names_of(column)]
        by_name = (self.question.vectors @ texts_embed_locally(names, keep=names).T).max(axis=1)
        if yes := yes_of(column):
            self._look_for_yes(at, column, yes, by_name)
            return
        values = [value for value in column.values if value.strip()] if not column.is_number else []
        if column.is_number:
            return
        embedded = values[:EMBEDDED_AT_MOST] if len(values) <= EMBEDDED_AT_MOST else []
        cosines = self._cosines(embedded) if embedded else np.zeros((len(self.question.spans), 0), dtype=np.float32)
        texts = [f"{names[0]} {value}".lower() for value in embedded]
        named = self.question.vectors @ texts_embed_locally(texts, keep=texts).T if embedded else cosines
        for place, span in enumerate(self.question.spans):
            for number, value in enumerate(values):
                cosine = float(cosines[place, number]) if number < cosines.shape[1] else 0.0
                read = value_read(value)
                if cosine >= _NEAR or _shares(span, read):
                    others = np.delete(cosines[place], number) if cosines.shape[1] > 1 else np.zeros(1)
                    margin = cosine - float(others.max()) if cosine else 0.0
                    own = float(named[place, number]) if number < cosines.shape[1] else 0.0
                    self._add(place, at, value, [cosine, own, margin, float(by_name[place])], len(values), False)

    def _look_for_yes(self, at: int, column: Column, yes: str, by_name: Floats) -> None:
        name = name_read(column.name)
        for place, span in enumerate(self.question.spans):
            cosine = float(by_name[place])
            if cosine >= _NEAR or span.stems & name.stems:
                others = np.delete(by_name, place)
                self._add(
                    place,
                    at,
                    yes,
                    [cosine, cosine, cosine - float(others.max(initial=0.0)), cosine],
                    2,
                    True,
                    name.text,
                )

    def _cosines(self, values: Sequence[str]) -> Floats:
        texts = [value.lower() for value in values]
        cosines: Floats = self.question.vectors @ texts_embed_locally(texts, keep=texts).T
        return cosines

    def _add(
        self, place: int, at: int, value: str, cosines: Sequence[float], count: int, is_yes: bool, text: str = ""
    ) -> None:
        span, read = self.question.spans[place], value_read(text or value)
        cosine, named, margin, by_column = cosines
        common = span.stems & read.stems
        threes = threes_of(" ".join(span.words))
        self.candidates.append(Candidate(place, at, value))
        self.rows.append(
            [
                float(" ".join(span.words) == " ".join(read.words)),
                float(span.stems == read.stems),
                len(common) / max(1, len(read.stems)),
                len(common) / max(1, len(span.stems)),
                len(threes & read.threes) / max(1, len(threes | read.threes)),
                cosine,
                named,
                margin,
                float(not groups_of(span.words, VALUES).isdisjoint(groups_of(read.words, VALUES))),
                float(not groups_within(span.words, VALUES).isdisjoint(groups_within(read.words, VALUES))),
                float(len(read.folded) <= 2),
                float(read.folded.replace(".", "").isdigit()),
                float(is_yes),
                float(span.size),
                max((self.listed.get(word, 3.0) for word in span.words), default=3.0),
                float(self._is_capital(span)),
                by_column,
                0.0,
                float(min(count, 60)),
                float(min(len(read.folded), 40)),
            ]
        )

    def _is_capital(self, span: Span) -> bool:
        token = self.question.tokens[span.start]
        return span.start > 0 and self.question.text[token.start].isupper()

    def result(self) -> tuple[list[Candidate], Floats]:
        rows = np.array(self.rows, dtype=np.float32).reshape(len(self.rows), len(FEATURES))
        for number, rival in enumerate(self._rivals(rows)):
            rows[number, FEATURES.index("rival")] = rival
        return self.candidates, rows

    def _rivals(self, rows: Floats) -> Iterator[float]:
        """How much more than this one the best other candidate of the same span looks like it."""
        looks = rows[:, 0] + rows[:, 1] + rows[:, 5] + rows[:, 8] if len(rows) else np.zeros(0)
        by_span: dict[int, list[tuple[float, int]]] = {}
        for number, candidate in enumerate(self.candidates):
            by_span.setdefault(candidate.span, []).append((float(looks[number]), number))
        best = {span: sorted(scores, reverse=True)[:2] for span, scores in by_span.items()}
        for number, candidate in enumerate(self.candidates):
            others = [score for score, other in best[candidate.span] if other != number]
            yield (others[0] if others else 0.0) - float(looks[number])


def _shares(span: Span, value: Value) -> bool:
    """Whether span and value have a word in common, or a group of what values mean."""
    if not span.stems.isdisjoint(value.stems):
        return True
    own = groups_of(span.words, VALUES)
    return bool(own) and not own.isdisjoint(groups_of(value.words, VALUES))
