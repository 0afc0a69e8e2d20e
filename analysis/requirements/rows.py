"""Rows of features for the decisions: one for a question, and one for each column of its table."""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from analysis.requirements.cues import cue_labels
from analysis.requirements.evidence import Evidence
from analysis.requirements.linking import is_identifier

Floats = npt.NDArray[np.float32]
WORDS: Final = (
    "by", "per", "each", "every", "in", "of", "for", "and", "with", "across", "among", "between", "which", "what",
    "who", "how", "much", "many", "the", "a", "where", "por", "cada", "segun", "de", "del", "en", "y", "con", "entre",
    "que",
    "cual", "quien", "cuanto", "cuanta", "cuantos", "cuantas", "el", "la", "los", "las", "un", "una", "x", "axis",
    "from",
    "to", "a", "al", "o", "or", "vs", "versus", "their", "its", "su", "sus", "show", "give", "list", "dame", "color",
)  # fmt: skip
"""Words that show by themselves what the next one is for."""
NEAR_LABELS: Final = (
    "by", "func:sum", "func:mean", "func:median", "func:max", "func:min", "func:count", "func:count_distinct",
    "func:std",
    "order:desc", "order:asc", "analysis:share", "analysis:distribution", "analysis:correlation", "analysis:compare",
    "analysis:list", "analysis:trend", "single", "limit", "expr:divide", "expr:subtract", "op:>", "op:<", "op:!=",
    "chart:any",
)  # fmt: skip
_WINDOW: Final = 3


@cache
def _near_places() -> list[int]:
    return [cue_labels().index(label) for label in NEAR_LABELS]


def question_row(evidence: Evidence) -> Floats:
    """Of the question as a whole: the strongest cue of each label, and what else it names."""
    cues, question = evidence.cues, evidence.question
    top = cues.likely.max(axis=0) if len(cues.likely) else np.zeros(len(cues.labels), dtype=np.float32)
    listed = cues.listed.max(axis=0) if len(cues.listed) else np.zeros(len(cues.labels), dtype=np.float32)
    best = evidence.links.max(axis=0) if len(evidence.links) else np.zeros(len(evidence.schema.columns))
    kinds = [column.type for column in evidence.schema.columns]
    of_kind = {
        kind: [float(value) for value, own in zip(best, kinds, strict=True) if own in group]
        for kind, group in (
            ("number", ("integer", "number")),
            ("text", ("text", "boolean")),
            ("time", ("date", "timestamp")),
        )
    }
    columns = [value.column for value in evidence.named]
    words = question.words or [""]
    others = [
        len(question.words),
        question.language == "es",
        len(evidence.amounts),
        len(evidence.periods),
        len(columns),
        len(set(columns)),
        *(sum(value > 0.5 for value in of_kind[kind]) for kind in ("number", "text", "time")),
        len(of_kind["number"]),
        len(of_kind["time"]),
        words[0] in ("how", "cuanto", "cuanta", "cuantos", "cuantas"),
        words[0] in ("which", "what", "who", "cual", "cuales", "que", "quien"),
        sum(amount.op == "=" for amount in evidence.amounts),
        sum(amount.op != "=" for amount in evidence.amounts),
        max(of_kind["number"], default=0.0),
        max(of_kind["text"], default=0.0),
        any(columns.count(column) > 1 for column in columns),
    ]
    return np.concatenate([top, listed, np.array(others, dtype=np.float32)]).astype(np.float32)


def column_names() -> tuple[str, ...]:
    """The names of `column_rows`."""
    return (
        "link", "second", "rival", "cosine rank", "size", "place", "from end", "taken", "number", "integer", "text",
        "time", "boolean", "identifier", "few values", "first of kind", "of kind", "rank of kind", "named", "order",
        "before named", "after number", "is best", "words between", "last",
        *(f"before {label}" for label in NEAR_LABELS),
        *(f"after {label}" for label in NEAR_LABELS),
        *(f"word {word}" for word in WORDS),
        *(f"word two {word}" for word in WORDS),
        *(f"next {word}" for word in WORDS),
    )  # fmt: skip


def column_rows(evidence: Evidence) -> Floats:
    """A row for each column: how strongly it is named, by which words, what is beside them, and what the column is."""
    links, question, columns = evidence.links, evidence.question, evidence.schema.columns
    rows = np.zeros((len(columns), len(column_names())), dtype=np.float32)
    if not len(links):
        rows[:, 8:14] = [_kind(evidence, at) for at in range(len(columns))]
        return rows
    free = np.array([evidence.taken[span.start : span.end].any() for span in question.spans])
    score = links - 0.3 * free[:, None]
    best = score.argmax(axis=0)
    tops = links[best, np.arange(len(columns))]
    order = np.argsort(np.argsort([question.spans[place].start for place in best]))
    named = [value.column for value in evidence.named]
    for at, column in enumerate(columns):
        place, span = int(best[at]), question.spans[int(best[at])]
        same = [other for other in range(len(columns)) if _group(columns[other].type) == _group(column.type)]
        others = np.delete(links[place], at)
        apart = [float(links[other, at]) for other, rest in enumerate(question.spans) if not rest.overlaps(span)]
        rows[at, :25] = [
            tops[at],
            max(apart, default=0.0),
            others.max(initial=0.0) - tops[at],
            float((tops > tops[at]).sum()),
            span.size,
            span.start / len(question.words),
            (len(question.words) - span.end) / len(question.words),
            evidence.taken[span.start : span.end].any(),
            *_kind(evidence, at),
            column.distinct is not None and column.distinct <= 12,
            same[0] == at,
            len(same),
            sum(tops[other] > tops[at] for other in same),
            at in named,
            order[at],
            any(value.start == span.end for value in evidence.named),
            span.start > 0 and question.words[span.start - 1].isdigit(),
            links[place].argmax() == at,
            abs(at - named[0]) if named else -1,
            span.end == len(question.words),
        ]
        _beside(evidence, span.start, span.end, rows[at, 25:])
    return rows


def _kind(evidence: Evidence, at: int) -> list[float]:
    column = evidence.schema.columns[at]
    types = [column.type == "number", column.type == "integer", column.type == "text", column.is_time]
    return [float(value) for value in (*types, column.type == "boolean", is_identifier(column))]


def _group(kind: str) -> str:
    return {"integer": "number", "timestamp": "date", "boolean": "text"}.get(kind, kind)


def _beside(evidence: Evidence, start: int, end: int, row: Floats) -> None:
    """The cues and the words around a span."""
    question, cues, places, count = evidence.question, evidence.cues, _near_places(), len(NEAR_LABELS)
    strength = np.maximum(cues.likely, cues.listed)[:, places]
    for number, span in enumerate(question.spans):
        if start - _WINDOW < span.end <= start:
            row[:count] = np.maximum(row[:count], strength[number])
        elif end <= span.start < end + _WINDOW - 1:
            row[count : 2 * count] = np.maximum(row[count : 2 * count], strength[number])
    for offset, at in enumerate((start - 1, start - 2, end)):
        word = question.words[at] if 0 <= at < len(question.words) else ""
        if word in WORDS:
            row[2 * count + offset * len(WORDS) + WORDS.index(word)] = 1
