"""What is written of a cause, for tests that look at one part alone."""

from collections.abc import Sequence

from reflection.causes import Cause
from reflection.causes.detect.reading import Case
from reflection.causes.propose import adjustments as proposing
from reflection.causes.wording import analysis, learning
from reflection.contracts import PatternFound
from reflection.contracts.failure import Failure
from reflection.quality.adjustments import adjustments_read


def analysis_of(cause: Cause, failure: Failure) -> str:
    return analysis.analysis_of(cause, Case(failure))


def learning_of(cause: Cause, failure: Failure) -> str:
    return learning.learning_of(cause, Case(failure))


def adjustments_of(cause: Cause, failure: Failure, patterns: Sequence[PatternFound]) -> list[str]:
    """The texts; each is read as the typed adjustment that it words."""
    proposal = proposing.adjustments_of(cause, Case(failure), patterns)
    assert adjustments_read(proposal.texts) == proposal.adjustments
    return proposal.texts
