"""Storing a reflection: once for each failure, with every attempt at it."""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from evaluation.models import Evaluation as EvaluationRow
from evaluation.services import reflection_close
from gateway.services import texts_embed_locally
from planning.errors import PlanNotFound
from planning.services import plan_hold, tell
from reflection.contracts import Author, Decision, PatternFound, PatternState
from reflection.contracts.failure import Failure
from reflection.errors import ReflectionRefused
from reflection.models import Attempt
from reflection.models import Reflection as ReflectionRow
from reflection.patterns import features_of
from reflection.quality.adjustments import adjustments_of
from reflection.quality.metrics import QUALITY_VERSION
from reflection.services.activation import episode_words, reflection_activate
from reflection.writing.attempts import AttemptMade, Attempts
from telemetry.contracts import EventLevel, EventName


@dataclass(frozen=True)
class Made:
    """A reflection as it was made. `cost` in micro-cents; `fallback`: why a model that was asked was not followed."""

    failure: Failure
    attempts: Attempts
    patterns: Sequence[PatternFound] = ()
    is_first: bool = False
    cost: int = 0
    fallback: str = ""


def reflection_store(*, made: Made, check: Callable[[], None] | None = None) -> ReflectionRow:
    """Store it with its attempts, and put it in force where the gate accepted it; an earlier one is returned instead.

    `check` is called before the transaction ends; when it raises, nothing is stored. Raises `PlanNotFound` for a plan
    that is gone, and `ReflectionRefused` where the failure waits for no reflection any more.
    """
    failure = made.failure
    assert failure.plan.id is not None
    assert failure.evaluation.id is not None
    moment, best = timezone.now(), made.attempts.best
    texts_embed_locally([episode_words(best.reflection.learning)])  # now: not with the transaction open
    with transaction.atomic():
        plan = plan_hold(plan_id=failure.plan.id)
        if not EvaluationRow.objects.filter(pk=failure.evaluation.id).exists():
            raise PlanNotFound(f"There is no evaluation {failure.evaluation.id} any more.")
        stored = ReflectionRow.objects.select_related("kept").filter(evaluation=failure.evaluation.id).first()
        if stored is not None:
            return stored
        if not reflection_close(evaluation_id=failure.evaluation.id):
            raise ReflectionRefused("Another result of this plan counts, or this one was given up.")
        row = _store(made, moment)
        level = EventLevel.INFO if best.validation.decision == Decision.ACCEPTED else EventLevel.WARNING
        if plan.user_id is not None and best.validation.decision == Decision.ACCEPTED:
            reflection_activate(row, now=moment)
        tell(failure.plan.id, EventName.REFLECTION_MADE, _event_data(row, made), moment, level=level)
        if check is not None:
            check()
    return row


def attempt_store(
    row: ReflectionRow,
    attempt: AttemptMade,
    number: int,
    patterns: Sequence[PatternFound],
    *,
    by_id: int | None = None,
    now: datetime,
) -> Attempt:
    """Store an attempt. `patterns` are those with figures; others are stored by their words."""
    reflection, validation = attempt.reflection, attempt.validation
    known = {pattern.text: pattern for pattern in patterns}
    named = [
        known.get(text) or PatternFound(text=text[:500], domain=row.task_type)
        for text in reflection.patterns_identified
    ]
    firm = any(pattern.state == PatternState.ESTABLISHED for pattern in named)  # "Settled", 5
    return Attempt.objects.create(
        reflection=row,
        number=number,
        author=reflection.author or Author.FACTS,
        by_id=by_id,
        model=attempt.model[:120],
        analysis=reflection.analysis,
        patterns=[pattern.model_dump(mode="json") for pattern in named],
        adjustments=[
            adjustment.model_copy(update={"firm": firm}).model_dump(mode="json")
            for adjustment in adjustments_of(reflection)
        ],
        learning=reflection.learning,
        decision=validation.decision,
        is_valid=validation.is_valid,
        quality_score=validation.quality_score,
        quality_version=QUALITY_VERSION,
        metrics=validation.metrics,
        violations=[fault.model_dump(mode="json") for fault in validation.faults],
        created_at=now,
    )


def _store(made: Made, now: datetime) -> ReflectionRow:
    failure, best = made.failure, made.attempts.best
    assert failure.evaluation.id is not None
    row = ReflectionRow.objects.create(
        id=uuid.uuid4(),
        evaluation_id=failure.evaluation.id,
        task_type=failure.domain,
        language=failure.language,
        is_first=made.is_first,
        decision=best.validation.decision,
        features=sorted(features_of(failure.plan, failure.evaluation)),
        fallback=made.fallback[:300],
        cost=made.cost,
        created_at=now,
    )
    stored = [
        attempt_store(row, attempt, number, made.patterns, now=now)
        for number, attempt in enumerate(made.attempts.made, 1)
    ]
    row.kept = stored[made.attempts.made.index(best)]
    row.save(update_fields=["kept"])
    return row


def _event_data(row: ReflectionRow, made: Made) -> dict[str, Any]:
    """For the audit trail, without the words of the reflection."""
    best = made.attempts.best.validation
    return {
        "reflection": str(row.pk),
        "evaluation": str(row.evaluation_id),
        "decision": best.decision.value,
        "quality": round(best.quality_score, 3),
        "metrics": {name: round(value, 3) for name, value in best.metrics.items()},
        "violations": [fault.metric.value if fault.metric else "other" for fault in best.faults],
        "attempts": len(made.attempts.made),
        "writtenBy": [(attempt.reflection.author or Author.FACTS).value for attempt in made.attempts.made],
        "isFirst": made.is_first,
        "inForce": row.in_force,
        "costMicrocents": made.cost,
    }
