"""What the network reads: a question's words, a table's columns, and how each word fits each column."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from analysis.contracts.tables import Column, TableSchema
from analysis.requirements import linking, valuing
from analysis.requirements.amounts import Amount, amounts_of
from analysis.requirements.columns import is_of_years
from analysis.requirements.cues import cues_listed
from analysis.requirements.linking import FEATURES as LINKED
from analysis.requirements.linking import is_identifier, name_read
from analysis.requirements.periods import Period, periods_of
from analysis.requirements.spans import Question
from gateway.services import texts_embed_locally
from language.frequency import frequencies

Floats = npt.NDArray[np.float32]
VALUED: Final = (
    "same",
    "same_stems",
    "within_value",
    "within_span",
    "letters",
    "cosine",
    "named_cosine",
    "group",
    "part_group",
)
VALUES_AT_MOST: Final = 40
PLACES_AT_MOST: Final = 4
"""Places of a question that may name one value."""
_VALUES_EMBEDDED: Final = 12
_COSINE: Final = 0.5
_IDENTIFIER: Final = 6
"""The place among the kinds of a column of whether it numbers the rows."""
_RARE, _COMMONEST = 2.0, 8.0
"""Zipf frequencies: of a word that is not listed, and about that of the commonest."""


@dataclass(frozen=True)
class ValueGroup:
    """The places of a question that may name one value of a column: the first word and the one after the last."""

    column: int
    value: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Inputs:
    """Arrays: `words` n x 1024 (the word, and it between its neighbours), `flags` n x F, `columns` m x 1024 (name,
    values), `kinds` m x K, `relations` n x m x R; for each value group its candidates' rows.
    """

    words: Floats
    flags: Floats
    columns: Floats
    kinds: Floats
    relations: Floats
    groups: Sequence[ValueGroup]
    group_rows: Sequence[Floats]
    amounts: Sequence[tuple[Amount, int, int]]
    periods: Sequence[tuple[Period, int, int]]

    def without_meanings(self) -> "Inputs":
        """What is left where nothing is known of what words and names mean: how well they fit each other, and types."""
        kinds = self.kinds.copy()
        kinds[:, _IDENTIFIER] = 0
        return replace(self, words=np.zeros_like(self.words), columns=np.zeros_like(self.columns), kinds=kinds)


def inputs_of(question: Question, schema: TableSchema) -> Inputs:
    """The inputs of a question over a table. Of a question without words the arrays of words are empty."""
    count = len(question.words)
    features = linking.column_features(question, schema)
    amounts = [
        (amount, *_words_at(question, amount.number_start, amount.number_end))
        for amount in amounts_of(question.text, question.language)
    ]
    periods = [(period, *_words_at(question, period.start, period.end)) for period in periods_of(question.text)]
    candidates, rows = valuing.value_candidates(question, schema)
    groups, group_rows = _grouped(question, candidates, rows)
    relations = np.zeros((count, len(schema.columns), len(LINKED) + len(VALUED)), dtype=np.float32)
    value_places = [valuing.FEATURES.index(name) for name in VALUED]
    for number, span in enumerate(question.spans):
        part = relations[span.start : span.end, :, : len(LINKED)]
        np.maximum(part, features[number], out=part)
    for candidate, row in zip(candidates, rows, strict=True):
        span = question.spans[candidate.span]
        part = relations[span.start : span.end, candidate.column, len(LINKED) :]
        np.maximum(part, row[value_places], out=part)
    return Inputs(
        words=_words(question), flags=_flags(question, amounts, periods),
        columns=_columns(schema), kinds=_kinds_of(schema),
        relations=relations, groups=groups, group_rows=group_rows, amounts=amounts, periods=periods,
    )  # fmt: skip


def _words(question: Question) -> Floats:
    if not question.words:
        return np.zeros((0, 1024), dtype=np.float32)
    alone = question.vectors[[question.place(question.span(at, at + 1)) for at in range(len(question.words))]]
    around = []
    for at in range(len(question.words)):
        wide = [(at - 1, at + 2), (at - 1, at + 1), (at, at + 2), (at, at + 1)]
        around.append(next(place for start, end in wide if (place := question.places.get((start, end))) is not None))
    return np.hstack([alone, question.vectors[around]]).astype(np.float32)


def _flags(
    question: Question, amounts: Sequence[tuple[Amount, int, int]], periods: Sequence[tuple[Period, int, int]]
) -> Floats:
    """Of each word: which cues it is in, then whether a number that is compared, how it is written, how common it is,
    the language, its place, and whether a period or a number.
    """
    listed, count = cues_listed(question), len(question.words)
    cued = np.zeros((count, listed.shape[1]), dtype=np.float32)
    for number, span in enumerate(question.spans):
        np.maximum(cued[span.start : span.end], listed[number], out=cued[span.start : span.end])
    written = np.zeros((count, 8), dtype=np.float32)
    english, spanish = frequencies("en"), frequencies("es")
    for at, word in enumerate(question.words):
        token = question.tokens[at]
        written[at, 1:6] = [
            question.text[token.start].isupper(),
            max(english.get(word, _RARE), spanish.get(word, _RARE)) / _COMMONEST,
            question.language == "es",
            at / count,
            question.text[token.end : token.end + 1] in (",", ";", ":", ".", ")"),
        ]
    for amount, start, end in amounts:
        written[start:end, 0], written[start:end, 7] = float(amount.op != "="), 1
    for _period, start, end in periods:
        written[start:end, 6] = 1
    return np.hstack([cued, written])


def _columns(schema: TableSchema) -> Floats:
    names = [" ".join(name_read(column.name).words) for column in schema.columns]
    cores = [name_read(column.name).text for column in schema.columns]
    values = []
    for column in schema.columns:
        shown = (
            [value.lower() for value in column.values[:_VALUES_EMBEDDED] if value.strip()]
            if not column.is_number and not column.is_time
            else []
        )
        values.append(texts_embed_locally(shown, keep=shown).mean(axis=0) if shown else np.zeros(512, dtype=np.float32))
    embedded = texts_embed_locally(names, keep=names) * 0.5 + texts_embed_locally(cores, keep=cores) * 0.5
    return np.hstack([embedded, np.array(values)]).astype(np.float32)


def _kinds_of(schema: TableSchema) -> Floats:
    return np.array([_kinds(column, schema) for column in schema.columns], dtype=np.float32)


def _kinds(column: Column, schema: TableSchema) -> list[float]:
    distinct = column.distinct if column.distinct is not None else len(column.values)
    low, high = _number(column.lowest), _number(column.highest)
    rows = schema.rows or 0
    return [
        column.type == "text", column.type == "integer", column.type == "number", column.type == "date",
        column.type == "timestamp", column.type == "boolean", is_identifier(column), is_of_years(column),
        valuing.yes_of(column) is not None, float(np.log1p(distinct)) / 8, float(bool(rows) and distinct >= rows),
        column.complete, float(np.log1p(abs(high))) / 12 if column.is_number else 0.0,
        float(column.is_number and low < 0), float(column.is_number and 0 < high <= 1),
        float(len(name_read(column.name).words)) / 5,
    ]  # fmt: skip


def _number(text: str | None) -> float:
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


def _grouped(
    question: Question, candidates: Sequence[valuing.Candidate], rows: Floats
) -> tuple[list[ValueGroup], list[Floats]]:
    """The candidates by value: the likeliest of each by its words, and of all values the likeliest `VALUES_AT_MOST`."""
    at = valuing.FEATURES.index
    looks = (
        rows[:, at("same")]
        + rows[:, at("same_stems")]
        + rows[:, at("within_value")]
        + rows[:, at("cosine")]
        + rows[:, at("group")]
        + 0.5 * rows[:, at("letters")]
    )
    by_value: dict[tuple[int, str], list[int]] = {}
    for number, candidate in enumerate(candidates):
        is_alike = (
            rows[number, at("cosine")] >= _COSINE
            or rows[number, [at("same_stems"), at("within_value"), at("group"), at("part_group")]].any()
        )
        if is_alike:
            by_value.setdefault((candidate.column, candidate.value), []).append(number)
    best = sorted(by_value.items(), key=lambda item: -max(looks[number] for number in item[1]))[:VALUES_AT_MOST]
    groups, group_rows = [], []
    for (column, value), numbers in best:
        kept = sorted(numbers, key=lambda number: -looks[number])[:PLACES_AT_MOST]
        spans = [question.spans[candidates[number].span] for number in kept]
        groups.append(ValueGroup(column, value, tuple((span.start, span.end) for span in spans)))
        group_rows.append(_scaled(rows[kept]))
    return groups, group_rows


def _scaled(rows: Floats) -> Floats:
    scaled = rows.copy()
    for name, by in (("size", 4.0), ("common", 8.0), ("values", 60.0), ("length", 40.0)):
        scaled[:, valuing.FEATURES.index(name)] /= by
    return scaled


def _words_at(question: Question, start: int, end: int) -> tuple[int, int]:
    """The words from one character to another: the first, and the one after the last."""
    places = [place for place, token in enumerate(question.tokens) if token.start < end and start < token.end]
    return (places[0], places[-1] + 1) if places else (0, min(1, len(question.tokens)))
