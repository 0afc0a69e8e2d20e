"""How much of what costs time is done, by how often it took too long lately. Source: RT-009, "Degradation levels".

Counted anew each time over the last ten minutes, so that it moves in both directions by itself.
"""

from datetime import datetime, timedelta
from typing import Literal

from django.utils import timezone

from gateway.contracts import DegradationLevel
from gateway.models import OperationTiming
from gateway.operations.registry import operations_all

WINDOW = timedelta(minutes=10)
_AFTER = (
    (50, DegradationLevel.DISABLED),
    (25, DegradationLevel.MINIMAL),
    (10, DegradationLevel.REDUCED),
)
Feature = Literal["reflection", "reranking", "corrective_rag", "planning", "evaluation"]
_WITHOUT: dict[DegradationLevel, frozenset[Feature]] = {
    DegradationLevel.FULL: frozenset(),
    DegradationLevel.REDUCED: frozenset(("reflection", "reranking")),
    DegradationLevel.MINIMAL: frozenset(("reflection", "reranking", "corrective_rag")),
    DegradationLevel.DISABLED: frozenset(("reflection", "reranking", "corrective_rag", "planning", "evaluation")),
}


def violations_count(*, now: datetime | None = None) -> int:
    """How many runs of RT-009's operations took longer than their targets in the last ten minutes. One query."""
    until = now or timezone.now()
    since = until - WINDOW
    names = [operation.name for operation in operations_all() if operation.degrades]
    return OperationTiming.objects.filter(violated=True, at__gt=since, at__lte=until, operation__in=names).count()


def degradation_level(*, now: datetime | None = None) -> DegradationLevel:
    """More than 10 violations: reduced; more than 25: minimal; more than 50: disabled. One query."""
    count = violations_count(now=now)
    return next((level for limit, level in _AFTER if count > limit), DegradationLevel.FULL)


def degradation_allows(feature: Feature, *, now: datetime | None = None) -> bool:
    """Whether models are asked for this at the level there is; what rules can do is always done. One query."""
    return feature not in _WITHOUT[degradation_level(now=now)]
