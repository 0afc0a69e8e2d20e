"""Plans without a model: templates by task type, filled with what the task says. Source: docs/plans.md."""

from planning.templates.plans import criteria_of

from .files import templates
from .plans import config_of, desired_result_of, steps_of

__all__ = ("config_of", "criteria_of", "desired_result_of", "steps_of", "task_types")


def task_types() -> tuple[str, ...]:
    return tuple(sorted(templates()))
