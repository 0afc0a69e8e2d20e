"""How the rules state their findings."""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lesson_engine.contracts import Verdict, VerdictResult

GRADER_VERSION = "andamio-4"


class Embed(Protocol):
    """Sentence vectors: float32, one row of length 1 for each text, so that cosines are dot products."""

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]: ...


def accept(rule: str, score: float = 1.0, **details: Any) -> Verdict:
    """Right. `details` are facts for the explanation, JSON values only."""
    return _verdict(VerdictResult.ACCEPT, rule, score, details)


def partial(rule: str, score: float, **details: Any) -> Verdict:
    """Partly right."""
    return _verdict(VerdictResult.PARTIAL, rule, score, details)


def reject(rule: str, score: float = 0.0, **details: Any) -> Verdict:
    """Wrong."""
    return _verdict(VerdictResult.REJECT, rule, score, details)


def not_gradable(rule: str, **details: Any) -> Verdict:
    """Empty, unreadable or in the wrong form for its kind."""
    return _verdict(VerdictResult.NOT_GRADABLE, rule, 0.0, details)


def no_attempt(rule: str) -> Verdict:
    """The reply does not try to answer."""
    return _verdict(VerdictResult.REJECT, rule, 0.0, {}).model_copy(update={"no_attempt": True})


def _verdict(result: VerdictResult, rule: str, score: float, details: dict[str, Any]) -> Verdict:
    bounded = round(min(1.0, max(0.0, float(score))), 4)
    return Verdict(result=result, rule=rule, score=bounded, grader=GRADER_VERSION, provenance="rules", details=details)
