"""Which words of a question are cues: of a function, a grain, an order, a chart, an operator and so on.

Two signals for each span: whether it is one of the phrases of `data/cues.yaml`, and the probability of a linear model
over its vector, fitted on these phrases and on questions whose cues are marked (`make bench-analyze FIT=--fit`).
"""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.requirements.cue_phrases import cue_phrases
from analysis.requirements.spans import Question, Vectors
from language.calibration import sigmoids
from language.fold import fold

FILE: Final = Path(__file__).parent / "data" / "cues.npz"
OTHER: Final = "other"
Floats = npt.NDArray[np.float32]


class CueModel(NamedTuple):
    """A row of coefficients and an offset for each label."""

    labels: tuple[str, ...]
    coefficients: Vectors
    offsets: Vectors


class Cues(NamedTuple):
    """Two arrays of spans by labels: probabilities by the model, and 1 where the span is a phrase of the label."""

    labels: tuple[str, ...]
    likely: Floats
    listed: Floats

    def column(self, label: str) -> int:
        return self.labels.index(label)


@cache
def cue_labels() -> tuple[str, ...]:
    """The labels of cues, in the order of the columns of every array of them."""
    return tuple(label for label in cue_phrases() if label != OTHER)


@cache
def model_read() -> CueModel:
    with np.load(FILE, allow_pickle=False) as arrays:
        labels = tuple(str(label) for label in arrays["labels"])
        return CueModel(labels, arrays["coefficients"].astype(np.float32), arrays["offsets"].astype(np.float32))


@cache
def _labels_by_phrase() -> dict[str, tuple[int, ...]]:
    places: dict[str, tuple[int, ...]] = {}
    for place, label in enumerate(cue_labels()):
        for phrase in cue_phrases()[label]:
            key = " ".join(fold(phrase).split())
            places[key] = (*places.get(key, ()), place)
    return places


def cues_listed(question: Question) -> Floats:
    """1 where a span is a phrase of a label."""
    listed = np.zeros((len(question.spans), len(cue_labels())), dtype=np.float32)
    phrases = _labels_by_phrase()
    for place, span in enumerate(question.spans):
        for label in phrases.get(" ".join(span.words), ()):
            listed[place, label] = 1
    return listed


def cues_of(question: Question) -> Cues:
    """The cues of a question. A question without words has none."""
    model = model_read()
    listed = cues_listed(question)
    if not question.spans:
        return Cues(model.labels, listed, listed)
    logits = question.vectors @ model.coefficients.T + model.offsets
    return Cues(model.labels, sigmoids(logits.astype(np.float64)).astype(np.float32), listed)
