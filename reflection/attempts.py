"""Writing a reflection until it is good enough, at most three times. Source: RT-010, 7."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from reflection.contracts import ATTEMPTS_AT_MOST, Decision, Reflection, ValidationResult

_RANK = {Decision.REJECTED: 0, Decision.ACCEPTED_WITH_WARNINGS: 1, Decision.ACCEPTED: 2}


@dataclass(frozen=True)
class AttemptMade:
    """One attempt with what the gate said of it. `model` is who wrote it, empty for rules."""

    reflection: Reflection
    validation: ValidationResult
    model: str = ""


@dataclass
class Attempts:
    """The attempts at one reflection, in order."""

    made: list[AttemptMade] = field(default_factory=list)

    @property
    def last(self) -> AttemptMade | None:
        """The latest."""
        return self.made[-1] if self.made else None

    @property
    def best(self) -> AttemptMade:
        """The one to keep: what the gate lets furthest through, then what scores best, then the earliest."""
        return best_of(self.made)


def best_of(made: Sequence[AttemptMade]) -> AttemptMade:
    """The one to keep; there must be one."""
    return max(made, key=lambda one: (_RANK[one.validation.decision], one.validation.quality_score))


Write = Callable[[int, AttemptMade | None], Awaitable[AttemptMade]]
"""Writes an attempt and has it judged: its number from 1, and the one before it."""


async def attempts_make(write: Write, most: int | None = None) -> Attempts:
    """Write until an attempt is accepted, at most three times or `most` (from 1), whichever is less."""
    attempts = Attempts()
    for number in range(1, min(most or ATTEMPTS_AT_MOST, ATTEMPTS_AT_MOST) + 1):
        attempts.made.append(await write(number, attempts.last))
        if attempts.made[-1].validation.decision == Decision.ACCEPTED:
            break
    return attempts
