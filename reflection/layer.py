"""From a failure to something learned. Sources: RT-010; RF-008; RT-009; design.md, "Names that stay put"."""

from typing import Any

from asgiref.sync import async_to_sync

from evaluation.contracts import Evaluation
from gateway.client.passed_models import PassedModel
from planning.contracts import Plan
from planning.experience.context import PassedMemory
from reflection.causes import Cause
from reflection.contracts import PatternFound, Reflection
from reflection.contracts.failure import Failure
from reflection.loop.reflecting import Collaborators, cause_analyze, patterns_identify, reflect


class ReflectionLayer:
    """Reflects on failures. Collaborators that are left out come from the settings.

    `llm`: anything with `complete(prompt) -> str`; its failure falls back to the rules. `memory`: anything with
    `retrieve`. `cost_tracker`: anything with `check_budget_before_operation` and `record_operation_cost`, in US
    dollars. Where a model is configured no transaction may be open; on an event loop use the methods with `a`.
    """

    def __init__(
        self, llm: PassedModel | None = None, memory: PassedMemory | None = None, cost_tracker: Any = None
    ) -> None:
        self._collaborators = Collaborators(llm, memory, cost_tracker)

    def reflect_on_result(
        self, plan: Plan, evaluation: Evaluation, *, result: Any = None, with_model: bool = True
    ) -> Reflection:
        """The reflection on a plan that failed: its cause, patterns, adjustments and learning.

        That of a stored evaluation is stored, once, with all attempts, and comes into force where the gate accepts it.
        `result` is the execution result, JSON. `with_model` False: no model is asked. Raises `ReflectionRefused` where
        nothing was seen to fail, `MetacognitionCostExceeded` before anything is done, `MetacognitionTimeoutError` after
        10 s, when nothing is stored, and `PlanNotFound` for a plan that has gone.
        """
        return async_to_sync(self.areflect_on_result)(plan, evaluation, result=result, with_model=with_model)

    async def areflect_on_result(
        self, plan: Plan, evaluation: Evaluation, *, result: Any = None, with_model: bool = True
    ) -> Reflection:
        """`reflect_on_result`, awaited."""
        return await reflect(self._collaborators, plan, evaluation, result, with_model=with_model)

    def analyze_cause(self, failure: Failure) -> Cause:
        """The root cause, by rules alone."""
        return async_to_sync(cause_analyze)(failure)

    def identify_patterns(self, failure: Failure) -> list[PatternFound]:
        """The patterns that the failure has a part in: at least three occurrences, with figures."""
        return async_to_sync(patterns_identify)(failure)
