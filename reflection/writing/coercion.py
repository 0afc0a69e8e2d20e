"""Plans and evaluations that are no contracts of ours, as data. Source: RT-010, 7, whose tests pass any."""

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from evaluation.contracts import Evaluation
from language.detect import language_of
from planning.contracts import TASK_LENGTH, Plan, PlanMetadata
from reflection.contracts.failure import Failure
from reflection.redaction import HIDDEN, is_secret_name

_READ: Final = 4_000
"""Characters of such a plan or evaluation."""
_DEEP, _ENTRIES = 6, 100


def failure_coerce(plan: Any, evaluation: Any) -> Failure:
    """The failure of a plan and its evaluation; with the text of one that is no contract. A plan that is a text is its
    task.
    """
    plan_text = "" if _is(plan, Plan) else _text(plan)
    evaluation_text = "" if _is(evaluation, Evaluation) else _text(evaluation)
    if plan_text:
        plan = _plan_of(plan, plan_text)
    if evaluation_text:
        evaluation = Evaluation(success=False, criteria_met=[], relevancy_score=0.0, completeness_score=0.0)
    return Failure(plan=plan, evaluation=evaluation, plan_text=plan_text, evaluation_text=evaluation_text)


def _is(value: Any, contract: type[Any]) -> bool:
    """Unlike `isinstance` it is False for a mock that only claims to be one."""
    return issubclass(type(value), contract)


def _text(value: Any) -> str:
    """It as a text, bounded; the name of its type where that is blank."""
    try:
        text = str(_without_secrets(value))[:_READ]
    except Exception:  # its own `__str__` may raise anything
        text = ""
    text = text.encode("utf-8", "replace").decode()
    return text if text.strip() else type(value).__name__


def _without_secrets(value: Any, deep: int = _DEEP) -> Any:
    if isinstance(value, Mapping) and deep:
        return {
            name: HIDDEN if is_secret_name(str(name)) else _without_secrets(item, deep - 1)
            for name, item in islice(value.items(), _ENTRIES)
        }
    if isinstance(value, list | tuple) and deep:
        return [_without_secrets(item, deep - 1) for item in value[:_ENTRIES]]
    return value


def _plan_of(plan: Any, text: str) -> Plan:
    task = plan if isinstance(plan, str) else _named(plan, "task")
    own_task = task.strip()[:TASK_LENGTH] if isinstance(task, str) else ""
    user_id = _named(plan, "user_id")
    return Plan(
        task=own_task or text[:TASK_LENGTH],
        user_id=user_id if isinstance(user_id, str) else None,
        metadata=PlanMetadata(language=language_of(own_task or text)),
    )


def _named(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, Mapping) else getattr(value, name, None)
