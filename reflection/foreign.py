"""Plans and evaluations that are not our contracts: what they say, as data. Source: RT-010, 7, whose tests pass any."""

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from evaluation.contracts import Evaluation
from planning.contracts import TASK_LENGTH, Plan, PlanMetadata
from planning.understanding import language_of
from reflection.discretion import HIDDEN, is_secret_name
from reflection.failure import Failure

_READ: Final = 4_000
"""Characters of what such a plan or evaluation says."""
_DEEP, _ENTRIES = 6, 100


def failure_of(plan: Any, evaluation: Any) -> Failure:
    """The failure that they tell of; of what is no contract of ours, its text. A plan that is a text is its task."""
    plan_text = "" if _is(plan, Plan) else _text(plan)
    evaluation_text = "" if _is(evaluation, Evaluation) else _text(evaluation)
    if plan_text:
        plan = _plan_of(plan, plan_text)
    if evaluation_text:
        evaluation = Evaluation(success=False, criteria_met=[], relevancy_score=0.0, completeness_score=0.0)
    return Failure(plan=plan, evaluation=evaluation, plan_text=plan_text, evaluation_text=evaluation_text)


def _is(value: Any, contract: type[Any]) -> bool:
    """`isinstance` would take the word of a mock that only claims to be one."""
    return issubclass(type(value), contract)


def _text(value: Any) -> str:
    """What it says as a text, bounded; a name for what says nothing."""
    try:
        said = str(_discreet(value))[:_READ]
    except Exception:  # its own `__str__` may raise whatever it likes
        said = ""
    said = said.encode("utf-8", "replace").decode()
    return said if said.strip() else type(value).__name__


def _discreet(value: Any, deep: int = _DEEP) -> Any:
    """The same without what stands under a secret name."""
    if isinstance(value, Mapping) and deep:
        return {
            name: HIDDEN if is_secret_name(str(name)) else _discreet(one, deep - 1)
            for name, one in islice(value.items(), _ENTRIES)
        }
    if isinstance(value, list | tuple) and deep:
        return [_discreet(one, deep - 1) for one in value[:_ENTRIES]]
    return value


def _plan_of(plan: Any, text: str) -> Plan:
    task = plan if isinstance(plan, str) else _named(plan, "task")
    known = task.strip()[:TASK_LENGTH] if isinstance(task, str) else ""
    user_id = _named(plan, "user_id")
    return Plan(
        task=known or text[:TASK_LENGTH],
        user_id=user_id if isinstance(user_id, str) else None,
        metadata=PlanMetadata(language=language_of(known or text)),
    )


def _named(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
