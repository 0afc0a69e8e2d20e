"""Failures with a planted cause: a task is planned and its result evaluated for real, as in use.

A row of `tests/data/planted_failures*.jsonl` has the `task` and the `result` that falls short, and may have the
`criteria` and `task_type` that are given, `memories` that planning learns from, `adjustments` that are set, what a
`plan` has otherwise (`priority`, `constraints`), what was adjusted of a `cached` plan, and earlier episodes (`past`).
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from evaluation.layer import EvaluationLayer
from memory.contracts import ActiveAdjustment, Memory, MemoryType
from planning.contracts import Plan, PlanConfig, PlanSource
from planning.experience import adjustment_parse, adjustments_apply, learnings_apply, learnings_of
from planning.layer import PlanningLayer
from planning.understanding import task_read
from reflection.contracts.failure import Failure, PastEpisode

DATA: Final = Path(__file__).parent.parent / "tests" / "data"
HELD_OUT, DEVELOPMENT, MORE = "planted_failures.jsonl", "planted_failures_dev.jsonl", "planted_failures_more.jsonl"


def rows_of(name: str) -> list[dict[str, Any]]:
    """The rows of a file."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines() if line.strip()]


def failures_of(name: str) -> Iterator[tuple[dict[str, Any], Failure]]:
    """Each row with its failure."""
    planning, evaluating = PlanningLayer(), EvaluationLayer()
    for row in rows_of(name):
        yield row, failure_of_row(row, planning, evaluating)


def failure_of_row(row: dict[str, Any], planning: PlanningLayer, evaluating: EvaluationLayer) -> Failure:
    """The failure that a row describes. Raises `AssertionError` where nothing failed."""
    plan = planning.create_plan(row["task"], None, task_type=row.get("task_type"), criteria=row.get("criteria"))
    active = adjustments_of_row(row)
    plan = _planned(plan, row, active)
    evaluation = evaluating.evaluate_result(plan.replaced(id=None), row["result"])  # not stored: nobody is to be told
    assert not evaluation.success, row["id"]
    assert any(check.met is False for check in evaluation.criteria_met), row["id"]
    past = tuple(
        PastEpisode(str(place), one["content"], one["failed"], frozenset(one.get("features", ())))
        for place, one in enumerate(row.get("past", ()))
    )
    return Failure(plan, evaluation, row["result"], past=past, adjustments=active)


def adjustments_of_row(row: dict[str, Any]) -> tuple[ActiveAdjustment, ...]:
    """What is set for the user, from an earlier reflection."""
    texts = row.get("adjustments", ())
    parsed = [adjustment_parse(text) for text in texts]
    return tuple(
        ActiveAdjustment(id=f"r:{place}", reflection_id="r", adjustment=one) for place, one in enumerate(parsed) if one
    )


def _planned(plan: Plan, row: dict[str, Any], active: tuple[ActiveAdjustment, ...]) -> Plan:
    reading = task_read(plan.task, plan.metadata.task_type)
    if memories := row.get("memories"):
        known = [Memory(id=str(at), content=text, memory_type=MemoryType.SEMANTIC) for at, text in enumerate(memories)]
        plan = learnings_apply(plan, learnings_of(known), reading)
    plan = adjustments_apply(plan, active, reading)
    changes: dict[str, Any] = {}
    special = row.get("plan", {})
    if "priority" in special:
        changes["config"] = PlanConfig(priority=special["priority"], settings=plan.config.settings)
    if "constraints" in special:
        changes["constraints"] = special["constraints"]
    if "cached" in row:
        update = {"source": PlanSource.CACHE, "cache_adjustments": row["cached"], "similarity": 0.91}
        changes["metadata"] = plan.metadata.model_copy(update=update)
    return plan.replaced(**changes) if changes else plan
