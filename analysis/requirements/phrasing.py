"""Which words of a question name a column or a decision: what justifies a requirement."""

from typing import Final

import numpy as np

from analysis.requirements.cues import cue_labels, cues_listed
from analysis.requirements.inputs import Inputs
from analysis.requirements.linking import FEATURES as LINKED
from analysis.requirements.meaning import Reason
from analysis.requirements.spans import Question
from language.layers import Floats

_WORTH: Final = {"same": 1.0, "covered": 0.9, "group": 0.9, "abbreviated": 0.7, "cosine": 0.9, "word_cosine": 0.7}
"""What each sign that a word names a column is worth."""
_NAMED: Final = 0.45
_BESIDE: Final = 0.8
_RIVAL: Final = 0.1
_RIVALS: Final = 3


class Naming:
    """The words of one question, held against the columns of its table."""

    def __init__(self, question: Question, inputs: Inputs, names: tuple[str, ...]) -> None:
        self.question, self.names = question, names
        places = [LINKED.index(name) for name in _WORTH]
        worth = np.array(list(_WORTH.values()), dtype=np.float32)
        self.fits: Floats = (inputs.relations[:, :, places] * worth).max(axis=2)
        """Words by columns: how well each fits."""
        self._listed = cues_listed(question)
        self._is_cue = np.zeros(len(question.words), dtype=bool)
        for span, listed in zip(question.spans, self._listed, strict=True):
            self._is_cue[span.start : span.end] |= bool(listed.any())

    def of_column(self, at: int) -> str:
        """The run of words that fits a column best, without cues at its ends; none where none fits."""
        fits = self.fits[:, at]
        if not len(fits) or fits.max() < _NAMED:
            return ""
        best = int(fits.argmax())
        start, end, enough = best, best + 1, _BESIDE * float(fits[best])
        while start > 0 and fits[start - 1] >= enough:
            start -= 1
        while end < len(fits) and fits[end] >= enough:
            end += 1
        while start < best and self._is_cue[start]:
            start += 1
        while end > best + 1 and self._is_cue[end - 1]:
            end -= 1
        return self.question.phrase(start, end)

    def of_cue(self, label: str) -> str:
        """The longest phrase of the question that is one of a label's; none where there is none."""
        if label not in cue_labels() or not len(self._listed):
            return ""
        spans = [
            span
            for span, listed in zip(self.question.spans, self._listed[:, cue_labels().index(label)], strict=True)
            if listed
        ]
        longest = max(spans, key=lambda span: span.size, default=None)
        return "" if longest is None else self.question.phrase(longest.start, longest.end)

    def reason(self, at: int, likely: Floats, words: str | None = None) -> Reason:
        """Why a column is meant, with the others that may be: `likely` has the probability of each column; `words` are
        those that mean it, the ones that name it where they are left out.
        """
        rivals = [other for other in np.argsort(-likely[: len(self.names)]) if other != at and likely[other] > _RIVAL]
        phrase = self.of_column(at) if words is None else words
        return Reason(phrase, float(likely[at]), tuple(self.names[other] for other in rivals[:_RIVALS]))
