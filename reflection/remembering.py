"""What is on record of whom a plan was for: ours, or what a passed memory says."""

from dataclasses import replace
from typing import Any

from evaluation.contracts import Evaluation
from memory.contracts import ActiveAdjustment, EpisodeOutcome, Memory, MemoryType
from planning.contracts import Plan
from planning.steering import PassedMemory, memories_of
from reflection.failure import EPISODES_READ, Failure, PastEpisode
from reflection.selectors import failure_of


def failure_gathered(plan: Plan, evaluation: Evaluation, result: Any, memory: PassedMemory | None) -> Failure:
    """The failure with what came before it. A passed memory says what happened and, where it can, what is adjusted."""
    failure = failure_of(plan, evaluation, result)
    if memory is None:
        return failure
    task_type = plan.metadata.task_type
    found = memory.retrieve(
        query=plan.task,
        memory_types=[MemoryType.EPISODIC],
        user_id=plan.user_id,
        filters={"task_type": task_type},
        top_k=EPISODES_READ,
    )
    known = memories_of(found, MemoryType.EPISODIC, task_type) if isinstance(found, list | tuple) else []
    ask = getattr(memory, "adjustments", None)
    said = ask(plan.user_id, task_type) if callable(ask) else ()
    adjustments = tuple(one for one in said if isinstance(one, ActiveAdjustment)) if isinstance(said, list) else ()
    return replace(failure, past=tuple(map(_episode, known)), adjustments=adjustments)


def _episode(memory: Memory) -> PastEpisode:
    features = memory.metadata.get("features")
    return PastEpisode(
        id=memory.id,
        content=memory.content,
        failed=None if memory.outcome == EpisodeOutcome.UNKNOWN else memory.outcome == EpisodeOutcome.FAILURE,
        features=frozenset(str(one) for one in features) if isinstance(features, list) else frozenset(),
        task=str(memory.metadata.get("task") or ""),
        at=memory.timestamp,
    )
