"""The checks of criteria, a class for each form of criterion. docs/checks.md, "How to add a check"."""

from typing import Final

from evaluation.checking.evaluators.base import Evaluator
from evaluation.checking.evaluators.presence import Absence, Presence
from evaluation.checking.evaluators.values import DateThreshold, Equality, NumericThreshold
from evaluation.checking.evaluators.verdict import UserVerdict
from planning.contracts import SuccessCriterion

EVALUATORS: Final[tuple[Evaluator, ...]] = (
    NumericThreshold(),
    DateThreshold(),
    Equality(),
    Presence(),
    Absence(),
    UserVerdict(),
)
"""In the order in which they are asked. `judged.Judge` comes after them: it waits on a model."""


def evaluator_for(criterion: SuccessCriterion) -> Evaluator | None:
    """The first that takes the criterion; None where only a judge could say."""
    return next((evaluator for evaluator in EVALUATORS if evaluator.applies_to(criterion)), None)
