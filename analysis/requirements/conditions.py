"""The conditions of a question on rows: values that are named, numbers and periods that columns are held against."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, Final

import numpy as np

from analysis.contracts.requirements import Filter, Operator
from analysis.contracts.tables import Column
from analysis.requirements.evidence import Evidence, Named
from analysis.requirements.spans import Span
from analysis.requirements.valuing import no_of, yes_of
from language.tokens import words_of

_OPPOSITE: Final[dict[Operator, Operator]] = {"null": "not_null", "not_null": "null"}
_CLEAR: Final = 0.6
_NOT_NEAR: Final = 3
_NOT_LIKELY: Final = 0.75
_NOT_WORDS: Final = frozenset(
    [
        "no",
        "not",
        "non",
        "sin",
        "without",
        "never",
        "nunca",
        "except",
        "excepto",
        "salvo",
        "excluding",
        "menos",
        "ni",
        "isnt",
        "arent",
        "wasnt",
        "werent",
        "dont",
        "doesnt",
        "didnt",
        "hasnt",
        "havent",
        "nor",
        "neither",
        "tampoco",
        "ningun",
        "ninguna",
    ]
)
_JOINTS: Final = frozenset(
    [
        "and",
        "or",
        "y",
        "o",
        "e",
        "u",
        "ni",
        "nor",
        "vs",
        "versus",
        "a",
        "de",
        "del",
        "la",
        "el",
        "los",
        "las",
        "the",
        "frente",
        "against",
        "with",
        "con",
        "than",
        "to",
    ]
)


def value_conditions(evidence: Evidence) -> list[Filter]:
    """Conditions on stored values; several values of a column are one condition."""
    conditions: list[Filter] = []
    by_column = groupby(sorted(evidence.named, key=lambda value: value.column), key=lambda value: value.column)
    for at, values in by_column:
        conditions += _of_column(evidence, evidence.schema.columns[at], list(values))
    return sorted(conditions, key=lambda condition: evidence.question.text.find(condition.phrase))


def _of_column(evidence: Evidence, column: Column, values: Sequence[Named]) -> Iterator[Filter]:
    wanted: list[tuple[str, Named]] = []
    refused: list[tuple[str, Named]] = []
    for value in values:
        is_refused = _is_refused(evidence, value) or (bool(refused) and _follows(evidence, refused[-1][1], value))
        if is_refused and yes_of(column):
            wanted.append((no_of(column), value))
        else:
            (refused if is_refused else wanted).append((value.value, value))
    yield from _condition(evidence, column, wanted, ("=", "in"))
    yield from _condition(evidence, column, refused, ("!=", "not_in"))


def _condition(
    evidence: Evidence, column: Column, pairs: Sequence[tuple[str, Named]], ops: tuple[Operator, Operator]
) -> Iterator[Filter]:
    """The condition that a column has one of these values, with the operator for one and for several; none of none."""
    values = [_typed(column, value) for value in dict.fromkeys(value for value, _named in pairs)]
    phrase = _phrase(evidence, [named for _value, named in pairs])
    if len(values) == 1:
        yield Filter(column=column.name, op=ops[0], value=values[0], phrase=phrase)
    elif values:
        yield Filter(column=column.name, op=ops[1], value=values, phrase=phrase)


def _typed(column: Column, value: str) -> Any:
    return value == "true" if column.type == "boolean" else value


def _phrase(evidence: Evidence, values: Sequence[Named]) -> str:
    if not values:
        return ""
    return evidence.question.phrase(min(value.start for value in values), max(value.end for value in values))


def _is_refused(evidence: Evidence, value: Named) -> bool:
    """Whether words before the value, or the first of its own, refuse it."""
    question, cues = evidence.question, evidence.cues
    near = range(max(0, value.start - _NOT_NEAR), value.start)
    own = set(words_of(value.value))
    first = [value.start] if question.words[value.start] not in own else []
    if any(question.words[place] in _NOT_WORDS for place in [*near[-2:], *first]):
        return True
    label = cues.column("op:!=")
    return any(
        value.start - _NOT_NEAR < span.end <= value.start
        and (cues.listed[place, label] or (span.size > 1 and cues.likely[place, label] > _NOT_LIKELY))
        and not any(
            other.end > span.end and other.start < value.start and other is not value for other in evidence.named
        )
        for place, span in enumerate(question.spans)
        if span.start >= value.start - _NOT_NEAR - 1
    )


def _follows(evidence: Evidence, first: Named, second: Named) -> bool:
    """Whether only joining words are between two values."""
    return first.end <= second.start and set(evidence.question.words[first.end : second.start]) <= _JOINTS


def missing_conditions(evidence: Evidence) -> list[Filter]:
    """Conditions that a column has no value, or has one: the phrase is beside the words of the column."""
    ops: tuple[Operator, ...] = ("null", "not_null")
    found = [
        condition
        for op in ops
        for cue in _cues_listed(evidence, f"op:{op}")
        for condition in _missing(evidence, op, cue)
    ]
    return list({condition.column: condition for condition in reversed(found)}.values())


def _cues_listed(evidence: Evidence, label: str) -> list[Span]:
    """The phrases of a label in the question, but those within a longer one that refuses values."""
    return [span for span in _spans_listed(evidence, label) if not _is_within(evidence, span, "op:!=")]


def _missing(evidence: Evidence, op: Operator, cue: Span) -> Iterator[Filter]:
    question = evidence.question
    for number, span in enumerate(question.spans):
        is_beside = 0 <= span.start - cue.end <= 1 or (span.end == cue.start and op == "null")
        at = int(evidence.links[number].argmax())
        column = evidence.schema.columns[at]
        is_yes_no = yes_of(column) is not None or any(value.column == at for value in evidence.named)
        if is_beside and evidence.links[number, at] > _CLEAR and not is_yes_no:
            phrase = question.phrase(min(cue.start, span.start), max(cue.end, span.end))
            yield Filter(column=column.name, op=_OPPOSITE[op] if _is_left_out(evidence, cue) else op, phrase=phrase)


def _is_left_out(evidence: Evidence, cue: Span) -> bool:
    """Whether rows are left out by the condition: "ignoring those with no payment method"."""
    return any(0 <= cue.start - span.end <= _NOT_NEAR for span in _spans_listed(evidence, "op:!="))


def _spans_listed(evidence: Evidence, label: str) -> list[Span]:
    listed = evidence.cues.listed[:, evidence.cues.column(label)]
    return [evidence.question.spans[int(place)] for place in np.flatnonzero(listed)]


def _is_within(evidence: Evidence, cue: Span, label: str) -> bool:
    """Whether a cue is a part of a longer phrase of another label: "sin" in "sin contar"."""
    longer = [span for span in _spans_listed(evidence, label) if span.size > cue.size]
    return any(span.start <= cue.start and cue.end <= span.end for span in longer)
