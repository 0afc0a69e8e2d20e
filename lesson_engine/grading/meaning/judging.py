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
        """Sure: on lessons left out, of the wrong answers that are called one or the other, 1 in 20 is called right."""
        return self._is_sure and self.right >= calibration().right * (self.right + self.wrong)

    @property
    def is_wrong(self) -> bool:
        """Sure: on lessons left out, of the right answers that are called one or the other, 1 in 20 is called wrong."""
        return self._is_sure and self.wrong >= calibration().wrong * (self.right + self.wrong)

    @property
    def _is_sure(self) -> bool:
        return self.partly <= calibration().partly

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
    """Fitted on lessons left out, minimal pairs apart: log odds are multiplied by `slope` and moved by `offsets`. A
    verdict is sure with at least a share of right, or of wrong, of both together, and not more than a probability of
    partly right. `says` is the least probability of a misconception that is named.
    """

    slope: float
    offsets: tuple[float, ...]
    right: float
    wrong: float
    partly: float
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
