"""The network's word on an answer as calibrated probabilities, and when they are enough to be sure."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.special import softmax

from language.calibration import sigmoid
from language.word_lists import json_file
from lesson_engine.contracts import Ask, LabelledAnswer

from .inputs import Inputs, Kind, inputs_of
from .network import RESULTS, VERSION, outcome_of

_FILE: Final = Path(__file__).parent.parent / "data" / f"{VERSION}.json"


@dataclass(frozen=True)
class Judgement:
    """Probabilities that sum to 1, of each misconception that the answer says it, and the place of the accepted answer
    that is nearest.
    """

    right: float
    partly: float
    wrong: float
    says: dict[str, float]
    reference: int

    @property
    def is_right(self) -> bool:
        """Sure: on lessons left out, at most one wrong answer in twenty is called right."""
        return self.right >= calibration().right

    @property
    def is_wrong(self) -> bool:
        """Sure: on lessons left out, at most one right answer in twenty is called wrong."""
        return self.wrong >= calibration().wrong

    @property
    def misconception(self) -> str | None:
        """The code of the misconception that the answer says."""
        code = max(self.says, key=lambda code: self.says[code], default=None)
        return code if code is not None and self.says[code] >= calibration().says else None

    @property
    def score(self) -> float:
        """How right the answer is: partly right counts half."""
        return self.right + self.partly / 2


@dataclass(frozen=True)
class Calibration:
    """Fitted on lessons left out: log odds are multiplied by `slope` and moved by `offsets`; then the least
    probabilities of being sure, and of naming a misconception.
    """

    slope: float
    offsets: tuple[float, ...]
    right: float
    wrong: float
    says: float


@cache
def calibration() -> Calibration:
    """Of the network's version."""
    told = json_file(_FILE)
    return Calibration(**{**told["calibration"], "offsets": tuple(told["calibration"]["offsets"])})


def judge(
    ask: Ask,
    reply: str,
    *,
    language: str,
    vocabulary: frozenset[str] = frozenset(),
    examples: Sequence[LabelledAnswer] = (),
) -> Judgement:
    """Judge a reply to an open question or definition."""
    inputs = inputs_of(ask, reply, language=language, vocabulary=vocabulary, examples=examples)
    outcome = outcome_of(inputs)
    odds = calibration().slope * outcome.results + np.array(calibration().offsets)
    # To four decimals, in which machines agree.
    told = dict(zip(RESULTS, np.round(softmax(odds), 4).tolist(), strict=True))
    return Judgement(**told, says=_said(inputs, outcome.says), reference=_nearest(inputs))


def _said(inputs: Inputs, says: Any) -> dict[str, float]:
    said: dict[str, float] = {}
    for segment, odds in zip(inputs.segments, says, strict=True):
        if segment.code is not None:
            said[segment.code] = max(said.get(segment.code, 0.0), round(sigmoid(odds), 4))
    return said


def _nearest(inputs: Inputs) -> int:
    """Segments of a kind come the nearest first."""
    places = (segment.at for segment in inputs.segments if segment.kind is Kind.RIGHT and segment.at is not None)
    return next(places, 0)
