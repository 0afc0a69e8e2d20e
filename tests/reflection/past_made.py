"""Failures and what came before them, made without a database."""

from collections.abc import Sequence
from typing import Any

from evaluation.contracts import CriterionResult, Evaluation, Reason
from planning.contracts import Plan, SuccessCriterion
from reflection.contracts.failure import Failure, PastEpisode
from reflection.patterns import features_of

Check = tuple[str, bool | None]
QUALITY: Check = ("Hotel quality >= 7", False)


def planned(
    *checks: Check,
    priority: str | None = "price",
    language: str = "en",
    task_type: str = "hotel_booking",
    constraints: Sequence[str] = (),
    settings: dict[str, Any] | None = None,
    **metadata: Any,
) -> Plan:
    """A plan with the criteria that are checked."""
    return Plan(
        task="Book hotel in Paris",
        success_criteria=[SuccessCriterion(text=text) for text, _met in checks],
        config={"priority": priority, "settings": settings or {}},  # type: ignore[arg-type]
        constraints=list(constraints),
        metadata={"task_type": task_type, "language": language, **metadata},  # type: ignore[arg-type]
    )


def evaluated(*checks: Check) -> Evaluation:
    """What came of the criteria; None: the result did not say."""
    met = [
        CriterionResult(
            criterion=text, source=text, met=is_met, reason=None if is_met is not None else Reason.DATA_MISSING
        )
        for text, is_met in checks
    ]
    success = bool(checks) and all(is_met for _text, is_met in checks)
    return Evaluation(success=success, criteria_met=met, relevancy_score=0.5, completeness_score=1.0)


def features(*checks: Check, **plan: Any) -> frozenset[str]:
    """Those of an episode with these criteria."""
    return features_of(planned(*checks, **plan), evaluated(*checks))


def episode(*checks: Check, number: int = 0, **plan: Any) -> PastEpisode:
    """An episode with these criteria; it failed where one of them did."""
    failed = any(met is False for _text, met in checks)
    return PastEpisode(id=f"e{number}", content="", failed=failed, features=features(*checks, **plan))


def failure(*checks: Check, past: Sequence[PastEpisode] = (), **plan: Any) -> Failure:
    """A failure with what came before it."""
    return Failure(plan=planned(*checks, **plan), evaluation=evaluated(*checks), past=tuple(past))


def times(count: int, *checks: Check, **plan: Any) -> list[PastEpisode]:
    """So many episodes that are alike."""
    return [episode(*checks, number=number, **plan) for number in range(count)]
