"""From a failure to something learned. Sources: RT-010; RF-008; RT-009; design.md, "Names that stay put"."""

from functools import cache
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async

from evaluation.contracts import Evaluation
from gateway.deadlines import aoperation_run
from gateway.passed_models import PassedModel
from gateway.services import texts_embed_locally
from planning.contracts import Plan
from planning.steering import PassedMemory
from reflection.causes import Cause
from reflection.contracts import PatternFound, Reflection
from reflection.errors import ReflectionRefused
from reflection.failure import Failure
from reflection.quality import ReflectionQualityValidator
from reflection.reflecting import OPERATION, Collaborators, Reflecting, causes_look, patterns_look
from reflection.selectors import reflection_on


@cache
def warm_up() -> None:
    """Load what reflections need, once in a process: time that no operation's limit should pay for."""
    texts_embed_locally(["Book hotel in Paris"])
    ReflectionQualityValidator().validate_reflection(Reflection(task="Book hotel in Paris", analysis="It failed"))


class ReflectionLayer:
    """Reflects on failures. Collaborators that are left out come from the settings.

    `llm`: anything with `complete(prompt) -> str`; its failure falls back to what is on record. `memory`: anything with
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
        """What is to be learned from a plan that failed: its cause, what keeps happening, what to do otherwise.

        That of a stored evaluation is stored, once, with all attempts, and comes into force where the gate accepts it.
        `result` is the execution result, JSON. `with_model` False: nobody is asked. Raises `ReflectionRefused` where
        nothing was seen to fail, `MetacognitionCostExceeded` before anything is done, `MetacognitionTimeoutError` after
        10 s, when nothing is stored, and `PlanNotFound` for a plan that has gone.
        """
        return async_to_sync(self.areflect_on_result)(plan, evaluation, result=result, with_model=with_model)

    async def areflect_on_result(
        self, plan: Plan, evaluation: Evaluation, *, result: Any = None, with_model: bool = True
    ) -> Reflection:
        """`reflect_on_result`, awaited."""
        seen = evaluation.errors or any(check.met is False for check in evaluation.criteria_met)
        if evaluation.success or not seen:
            raise ReflectionRefused("Nothing was seen to fail, so there is nothing to reflect on.")
        await sync_to_async(warm_up, thread_sensitive=False)()
        async with aoperation_run(OPERATION) as under_way:
            if evaluation.id is not None:
                known = await sync_to_async(reflection_on, thread_sensitive=True)(evaluation.id)
                if known is not None:
                    return known
            return await Reflecting(self._collaborators, plan, evaluation, result, with_model=with_model).done(
                under_way
            )

    def analyze_cause(self, failure: Failure) -> Cause:
        """The root cause, from what is on record alone."""
        return async_to_sync(causes_look)(failure)

    def identify_patterns(self, failure: Failure) -> list[PatternFound]:
        """What keeps happening: seen at least three times, with figures."""
        return async_to_sync(patterns_look)(failure)
