"""Which words of a question are cues: of a function, a grain, an order, a chart, an operator and so on."""

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

from analysis.requirements.cue_phrases import cue_phrases
from analysis.requirements.spans import Question
from language.fold import fold

OTHER: Final = "other"
Floats = npt.NDArray[np.float32]


@cache
def cue_labels() -> tuple[str, ...]:
    """The labels of cues, in the order of the columns of every array of them."""
    return tuple(label for label in cue_phrases() if label != OTHER)


@cache
def _labels_by_phrase() -> dict[str, tuple[int, ...]]:
    places: dict[str, tuple[int, ...]] = {}
    for place, label in enumerate(cue_labels()):
        for phrase in cue_phrases()[label]:
            key = " ".join(fold(phrase).split())
            places[key] = (*places.get(key, ()), place)
    return places


def cues_listed(question: Question) -> Floats:
    """An array of spans by labels: 1 where a span is one of the phrases of `data/cues.yaml` for a label."""
    listed = np.zeros((len(question.spans), len(cue_labels())), dtype=np.float32)
    phrases = _labels_by_phrase()
    for place, span in enumerate(question.spans):
        for label in phrases.get(" ".join(span.words), ()):
            listed[place, label] = 1
    return listed
