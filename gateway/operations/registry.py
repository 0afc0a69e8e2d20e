"""Named operations: how long each should and may take, and what it may cost. Source: RT-009."""

from typing import NamedTuple

from gateway.contracts import MICROCENTS


class Operation(NamedTuple):
    """Times in milliseconds, `cap` in micro-cents over all attempts and votes; None where there is no such limit.

    Over `target_ms` is logged and counted; `timeout_ms` ends the operation. `degrades`: its violations count towards
    the degradation level.
    """

    name: str
    target_ms: int
    timeout_ms: int | None = None
    cap: int | None = None
    degrades: bool = True


def _cents(amount: float) -> int:
    return round(amount * MICROCENTS)


_RT_009 = (
    Operation("create_plan", 2000, 5000, _cents(1)),
    Operation("decompose_task", 1000),
    Operation("retrieve_experience", 100),
    Operation("evaluate_result", 500, 2000, _cents(0.5)),
    Operation("check_criteria", 200),
    Operation("assess_relevance", 300),
    Operation("reflect_on_result", 3000, 10_000, _cents(2)),
    Operation("analyze_cause", 1500),
    Operation("identify_patterns", 1000),
    Operation("decide_adjustments", 1000),
    Operation("corrective_rag_cycle", 5000, 15_000, _cents(3)),
    Operation("relevance_grading", 500),
    Operation("knowledge_refinement", 2000),
    Operation("rerank_results", 800),
)
_operations = {operation.name: operation for operation in _RT_009}


def operation_register(operation: Operation) -> None:
    """Add an operation; for `AppConfig.ready()`. Raises `ValueError` for a name that means another."""
    if _operations.setdefault(operation.name, operation) != operation:
        raise ValueError(f"there is another operation {operation.name!r}")


def operation_named(name: str) -> Operation:
    """The operation. Raises `KeyError` for one that is not registered."""
    return _operations[name]


def operations_all() -> tuple[Operation, ...]:
    """All operations, in the order in which they were registered."""
    return tuple(_operations.values())
