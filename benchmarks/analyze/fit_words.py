"""Fits what words of a question mean: cues, columns, values. Each gives predictions for rows that it has not seen."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from sklearn.linear_model import LogisticRegression

from analysis.requirements import linking, valuing
from analysis.requirements.cue_phrases import cue_phrases
from analysis.requirements.cues import Cues, cue_labels, cues_listed
from analysis.requirements.models import Forest
from benchmarks.analyze.corpus import Row
from benchmarks.analyze.fitting import FOLDS, forest_fit
from gateway.services import texts_embed_locally
from language.calibration import sigmoids

Floats = npt.NDArray[Any]
_EVERY: Final = 4
"""One of so many words that are no cues is learnt from, for all of them."""
_MARKED: Final = 8
_OPERATORS: Final = ("!=", ">", "<", ">=", "<=", "between")
_LINKED: Final = ("measure", "group", "time", "order")


def cues_fit(rows: Sequence[Row], fold: Floats) -> tuple[dict[str, Floats], list[Cues]]:
    """The arrays of `cues.npz`, and the cues of each row by a model that has not seen its table."""
    labels = cue_labels()
    marked = [row for row in rows if row.mentions]
    vectors = np.vstack([row.question.vectors for row in marked])
    fold_of = np.concatenate(
        [np.full(len(row.question.spans), fold[place]) for place, row in enumerate(rows) if row.mentions]
    )
    wanted = np.vstack([_cues_wanted(row) for row in marked])
    listed = np.vstack([cues_listed(row.question) for row in marked])
    texts = [(text.lower(), label) for label, phrases in cue_phrases().items() for text in phrases]
    phrases = texts_embed_locally([text for text, _ in texts])
    phrase_labels = np.array([label for _, label in texts])
    sampled = np.arange(len(vectors)) % _EVERY == 0

    def fit(chosen: Floats) -> tuple[Floats, Floats]:
        weights, offsets = [], []
        for place, label in enumerate(labels):
            yes = wanted[:, place] > 0
            # Where hardly a row marks a label, words that are not marked teach next to nothing.
            unmarked = 1.0 if yes.sum() >= _MARKED else 0.1
            own = chosen & (yes | (listed[:, place] > 0) | sampled)
            importance = np.where(yes, 3.0, np.where(listed[:, place] > 0, 0.2 * unmarked, _EVERY * unmarked))[own]
            of_phrase = phrase_labels == label
            model = LogisticRegression(C=2, max_iter=300)
            model.fit(
                np.vstack([vectors[own], phrases]),
                np.r_[yes[own], of_phrase],
                sample_weight=np.r_[importance, np.where(of_phrase, 3.0, 1.0)],
            )
            weights.append(model.coef_[0])
            offsets.append(model.intercept_[0])
        return np.array(weights, dtype=np.float32), np.array(offsets, dtype=np.float32)

    everywhere = fit(np.ones(len(vectors), dtype=bool))
    by_fold = [fit(fold_of != number) for number in range(FOLDS)]
    cues = [_cues(row, by_fold[fold[place]]) for place, row in enumerate(rows)]
    arrays = {
        "labels": np.array(labels),
        "coefficients": everywhere[0].astype(np.float16),
        "offsets": everywhere[1].astype(np.float16),
    }
    return arrays, cues


def _cues(row: Row, model: tuple[Floats, Floats]) -> Cues:
    likely = sigmoids((row.question.vectors @ model[0].T + model[1]).astype(np.float64))
    return Cues(cue_labels(), likely.astype(np.float32), cues_listed(row.question))


def _cues_wanted(row: Row) -> Floats:
    labels = cue_labels()
    wanted = np.zeros((len(row.question.spans), len(labels)), dtype=np.float32)
    order = (row.sketch.get("order") or {}).get("direction")
    for mention in row.mentions:
        words = row.words(mention["text"])
        if words is None or words[1] - words[0] > 4:
            continue
        place = row.question._places.get(words)
        for label in _labels_of(mention, order):
            if place is not None and label in labels:
                wanted[place, labels.index(label)] = 1
    return wanted


def _labels_of(mention: dict[str, Any], order: str | None) -> list[str]:
    labels = [
        f"{kind}:{mention[key]}"
        for kind, key in (("func", "func"), ("grain", "grain"), ("chart", "chart"), ("analysis", "analysis"))
        if key in mention
    ]
    if "limit" in mention:
        labels.append("limit")
    if mention.get("op") in _OPERATORS:
        labels.append(f"op:{mention['op']}")
    if "expr" in mention:
        made = mention["expr"]
        labels.append(f"expr:{made if isinstance(made, str) else made[0]}")
    is_of_order = (
        mention.get("analysis") == "rank"
        or mention.get("role") == "order"
        or "direction" in mention
        or "limit" in mention
    )
    return [*labels, f"order:{order}"] if order and is_of_order else labels


def links_fit(rows: Sequence[Row], fold: Floats) -> tuple[Forest, list[Floats]]:
    """The model of columns, and for each row spans by columns by one that has not seen its table."""
    features = [linking.column_features(row.question, row.schema) for row in rows]
    lessons = [_links_wanted(row) for row in rows]
    allowed = [
        linking.may_name(row.question, features[place], cues_listed(row.question)) for place, row in enumerate(rows)
    ]
    return _fit_in_folds(
        [array.reshape(-1, array.shape[-1]) for array in features],
        [wanted.ravel() for wanted, _ in lessons],
        [weights.ravel() for _, weights in lessons],
        fold,
        lambda likely, place: (
            np.maximum(likely.reshape(features[place].shape[:2]), linking.exactness(features[place])) * allowed[place]
        ),
    )


def _links_wanted(row: Row) -> tuple[Floats, Floats]:
    """1 where a span is marked as a column, and how much each counts; rows without marks teach nothing."""
    shape = (len(row.question.spans), len(row.schema.columns))
    wanted, weights = np.zeros(shape), np.full(shape, 0.15 if row.mentions else 0.0)
    marked: dict[tuple[int, int], set[int]] = defaultdict(set)
    for mention in row.mentions:
        at, words = row.place(mention.get("column", "")), row.words(mention["text"])
        if mention.get("role") in _LINKED and at is not None and words:
            marked[words].add(at)
    for words, columns in marked.items():
        for place, span in enumerate(row.question.spans):
            if (span.start, span.end) == words:
                weights[place] = 1
                wanted[place, list(columns)] = 1
                weights[place, list(columns)] = 3
            elif span.start < words[1] and words[0] < span.end:
                weights[place, [at for at in columns if not wanted[place, at]]] = 0
    return wanted, weights


def values_fit(rows: Sequence[Row], fold: Floats) -> tuple[Forest, list[tuple[Sequence[valuing.Candidate], Floats]]]:
    """The model of values, and for each row its candidates with probabilities by one that has not seen its table."""
    found = [valuing.value_candidates(row.question, row.schema) for row in rows]
    lessons = [_values_wanted(row, candidates) for row, (candidates, _) in zip(rows, found, strict=True)]
    model, likely = _fit_in_folds(
        [features for _, features in found],
        [wanted for wanted, _ in lessons],
        [weights for _, weights in lessons],
        fold,
        lambda likely, place: np.maximum(likely, valuing.exactness(found[place][1])),
    )
    return model, [(candidates, own) for (candidates, _), own in zip(found, likely, strict=True)]


def _values_wanted(row: Row, candidates: Sequence[valuing.Candidate]) -> tuple[Floats, Floats]:
    wanted, weights = np.zeros(len(candidates)), np.full(len(candidates), 1.0 if row.mentions else 0.0)
    for mention in row.mentions:
        at, words = row.place(mention.get("column", "")), row.words(mention["text"])
        if "value" not in mention or at is None or words is None or isinstance(mention["value"], list):
            continue
        value = valuing.yes_of(row.schema.columns[at]) or str(mention["value"])
        for number, candidate in enumerate(candidates):
            if candidate.column == at and candidate.value == value:
                span = row.question.spans[candidate.span]
                if (span.start, span.end) == words:
                    wanted[number], weights[number] = 1, 1
                elif span.start < words[1] and words[0] < span.end and not wanted[number]:
                    weights[number] = 0
    return wanted, weights


def _fit_in_folds(
    features: list[Floats],
    wanted: list[Floats],
    weights: list[Floats],
    fold: Floats,
    shape: Callable[[Floats, int], Floats],
) -> tuple[Forest, list[Floats]]:
    rows, yes, importance = np.vstack(features), np.concatenate(wanted), np.concatenate(weights)
    is_passed_over = (importance < 1) & (np.arange(len(rows)) % _EVERY > 0)
    importance = np.where(is_passed_over, 0, np.where(importance < 1, importance * _EVERY, importance))
    fold_of = np.concatenate([np.full(len(own), fold[place]) for place, own in enumerate(wanted)])
    model = forest_fit(rows[importance > 0], yes[importance > 0], importance[importance > 0])
    likely = np.zeros(len(rows))
    for number in range(FOLDS):
        chosen = (fold_of != number) & (importance > 0)
        likely[fold_of == number] = forest_fit(rows[chosen], yes[chosen], importance[chosen]).probabilities(
            rows[fold_of == number]
        )
    starts = np.r_[0, np.cumsum([len(own) for own in wanted])]
    return model, [
        shape(likely[starts[place] : starts[place + 1]].astype(np.float32), place) for place in range(len(wanted))
    ]
