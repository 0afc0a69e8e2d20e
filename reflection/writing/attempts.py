"""The one engine of attempts: writing a reflection until it is good enough. Source: RT-010, 7."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from reflection.contracts import ATTEMPTS_AT_MOST, Decision, Reflection, ValidationResult

_RANK = {Decision.REJECTED: 0, Decision.ACCEPTED_WITH_WARNINGS: 1, Decision.ACCEPTED: 2}


@dataclass(frozen=True)
class AttemptMade:
    """One attempt with the gate's judgement. `model` is its author, empty for rules.

    `failure`: why the model brought no reflection, empty where it did; the reflection is an empty one then.
    """

    reflection: Reflection
    validation: ValidationResult
    model: str = ""
    failure: str = ""


def is_accepted(attempt: AttemptMade) -> bool:
    """Whether the gate accepted it without warnings."""
    return attempt.validation.decision == Decision.ACCEPTED


@dataclass
class Attempts:
    """The attempts at one reflection, in order.

    Iterating gives the number of the next attempt, from 1: `most` at most, none after one that `is_enough` or after
    `is_over` was set. The caller appends to `made`.
    """

    made: list[AttemptMade] = field(default_factory=list)
    most: int = ATTEMPTS_AT_MOST
    is_enough: Callable[[AttemptMade], bool] = is_accepted
    is_over: bool = False

    def __iter__(self) -> Iterator[int]:
        for number in range(1, self.most + 1):
            yield number
            if self.is_over or self.is_enough(self.made[-1]):
                return

    @property
    def written(self) -> list[AttemptMade]:
        """Those that brought a reflection."""
        return [attempt for attempt in self.made if not attempt.failure]

    @property
    def last(self) -> AttemptMade | None:
        """The latest that brought a reflection."""
        return next(reversed(self.written), None)

    @property
    def best(self) -> AttemptMade:
        """The one to keep, of those that brought a reflection: first by decision, then by score, then the earliest."""
        return max(
            self.written,
            key=lambda attempt: (_RANK[attempt.validation.decision], attempt.validation.quality_score),
        )
