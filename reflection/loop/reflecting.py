"""One reflection in the making: side by side the cause and the patterns, then attempts until the gate accepts one."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, TypeVar

import structlog
from asgiref.sync import sync_to_async

from accounts.models import User
from evaluation.contracts import Evaluation
from gateway.client.passed_models import NoSense, PassedModel
from gateway.client.tiers import is_configured
from gateway.contracts import MICROCENTS, Payer, Tier
from gateway.errors import MetacognitionCostExceeded, MetacognitionTimeoutError, ModelUnavailable
from gateway.ledger.cost_tracker import CostTracker
from gateway.operations.deadlines import Running, acommit, aoperation_run
from gateway.operations.degradation import degradation_allows
from gateway.operations.registry import operation_named
from gateway.services import texts_embed_locally
from planning.contracts import Plan
from planning.experience.context import PassedMemory
from planning.selectors import user_planned_for
from planning.services import chain_of
from reflection.causes import Cause, cause_of, reflection_of
from reflection.contracts import Metric, PatternFound, Reflection
from reflection.contracts.failure import Failure
from reflection.errors import ReflectionRefused
from reflection.models import Reflection as ReflectionRow
from reflection.quality import ReflectionQualityValidator
from reflection.quality.gate import Gate, gate_of, is_first
from reflection.selectors import failure_gathered, reflection_on
from reflection.selectors import reflection_of as reflection_stored
from reflection.services import Made, patterns_known, reflection_store
from reflection.writing.attempts import AttemptMade, Attempts
from reflection.writing.writer import ModelWriter, in_caller_thread

AGENT, OPERATION = "reflector", "reflect_on_result"
_log = structlog.get_logger(__name__)
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="reflection")
Result = TypeVar("Result")


async def cause_analyze(failure: Failure) -> Cause:
    """The root cause, by rules."""
    async with aoperation_run("analyze_cause"):
        return await _apart(cause_of, failure)


async def patterns_identify(failure: Failure) -> list[PatternFound]:
    """The patterns of the user that the failure has a part in."""
    async with aoperation_run("identify_patterns"):
        return await in_caller_thread(partial(patterns_known, failure=failure))


@dataclass(frozen=True)
class Diagnosis:
    """A failure with its cause and patterns, which every attempt starts from."""

    failure: Failure
    cause: Cause
    patterns: list[PatternFound]


@dataclass(frozen=True)
class Collaborators:
    """Those that were passed in; None: from the settings."""

    llm: PassedModel | None = None
    memory: PassedMemory | None = None
    cost_tracker: Any = None


@cache
def warm_up() -> None:
    """Load embedder and word lists, once in a process, outside any operation's limit of time."""
    texts_embed_locally(["Book hotel in Paris"])
    ReflectionQualityValidator().validate_reflection(Reflection(task="Book hotel in Paris", analysis="It failed"))


async def reflect(
    collaborators: Collaborators, plan: Plan, evaluation: Evaluation, result: Any, *, with_model: bool
) -> Reflection:
    """One reflection, as `ReflectionLayer.reflect_on_result` has it."""
    if evaluation.success or not (evaluation.errors or any(check.met is False for check in evaluation.criteria_met)):
        raise ReflectionRefused("Nothing was seen to fail, so there is nothing to reflect on.")
    await sync_to_async(warm_up, thread_sensitive=False)()
    async with aoperation_run(OPERATION) as under_way:
        stored = await in_caller_thread(reflection_on, evaluation.id) if evaluation.id is not None else None
        if stored is not None:
            return stored
        return await _Reflecting(collaborators, plan, evaluation, result, with_model=with_model).done(under_way)


class _Reflecting:
    """One reflection, by a model where one may be asked, else by rules."""

    def __init__(
        self, collaborators: Collaborators, plan: Plan, evaluation: Evaluation, result: Any, *, with_model: bool
    ) -> None:
        self._with, self._plan, self._evaluation, self._result = collaborators, plan, evaluation, result
        self._asks = with_model and (collaborators.llm is not None or is_configured(Tier.CHEAP))
        self._writer: ModelWriter | None = None
        self._fallback = ""

    async def done(self, under_way: Running) -> Reflection:
        """Made, judged and stored; that of an evaluation that is not stored is only returned."""
        user = await in_caller_thread(user_planned_for, self._plan.id) if self._plan.id else None
        under_way.user_id = user.pk if user else None
        tracker = self._with.cost_tracker or CostTracker.of(user, agent=AGENT)
        estimate = (operation_named(OPERATION).cap or 0) / (100 * MICROCENTS) if self._asks else 0.0
        await in_caller_thread(tracker.check_budget_before_operation, OPERATION, estimate)
        failure = await in_caller_thread(
            failure_gathered, self._plan, self._evaluation, self._result, self._with.memory
        )
        diagnosis = Diagnosis(failure, *await asyncio.gather(cause_analyze(failure), patterns_identify(failure)))
        attempts = await self._attempts(diagnosis, user)
        made = Made(
            failure=failure,
            attempts=attempts,
            patterns=diagnosis.patterns,
            is_first=is_first(failure),
            cost=self._writer.cost if self._writer else 0,
            fallback=self._fallback,
        )
        await _recorded(tracker, made.cost)
        if self._evaluation.id is None or self._plan.id is None:
            best = attempts.best
            return best.reflection.replaced(quality=best.validation, decision=best.validation.decision)
        row = await acommit(under_way, lambda: _store(under_way, made))
        return await in_caller_thread(reflection_stored, row)

    async def _attempts(self, diagnosis: Diagnosis, user: User | None) -> Attempts:
        gate = gate_of(diagnosis.failure, diagnosis.patterns)
        if self._asks and await self._may_ask(user):
            chain = chain_of(self._plan.id) if self._plan.id else "reflection"
            payer = Payer.of(user, chain=chain, agent=AGENT)
            self._writer = ModelWriter(self._with.llm, diagnosis.failure, diagnosis.patterns, payer)
        attempts = Attempts()
        for number in attempts:
            attempts.made.append(await self._written(diagnosis, gate, number, attempts.last))
        return attempts

    async def _may_ask(self, user: User | None) -> bool:
        """A passed model is always asked; ours not while too much takes too long."""
        allows = partial(degradation_allows, "reflection", user_id=user.pk if user else None)
        if self._with.llm is not None or await in_caller_thread(allows):
            return True
        self._fallback = "degraded"
        return False

    async def _written(self, diagnosis: Diagnosis, gate: Gate, number: int, before: AttemptMade | None) -> AttemptMade:
        reflection = await self._from_model(number, before)
        if reflection is not None:
            return AttemptMade(reflection, await _apart(gate, reflection), self._writer.model if self._writer else "")
        async with aoperation_run("decide_adjustments"):
            write = partial(reflection_of, root=diagnosis.cause)
            written = await _apart(write, diagnosis.failure, diagnosis.patterns, _fallen(before), number)
        return AttemptMade(written, await _apart(gate, written))

    async def _from_model(self, number: int, before: AttemptMade | None) -> Reflection | None:
        """None where none is asked (any more): one that failed once is not asked again for this reflection."""
        if self._writer is None or self._fallback:
            return None
        try:
            return await self._writer.write(number, before)
        except MetacognitionTimeoutError:
            raise
        except Exception as error:
            if not isinstance(error, (ModelUnavailable, MetacognitionCostExceeded, NoSense)):
                if self._with.llm is None:
                    raise
                _log.warning("a passed model was not followed", error=type(error).__name__)
            self._fallback = f"{type(error).__name__}: {error}"[:300]
        return None


def _fallen(before: AttemptMade | None) -> frozenset[Metric]:
    """The metrics in which an attempt fell short; empty before the first."""
    faults = before.validation.faults if before else []
    return frozenset(fault.metric for fault in faults if fault.metric is not None)


def _store(under_way: Running, made: Made) -> ReflectionRow:
    under_way.check()
    return reflection_store(made=made, check=under_way.check)


async def _recorded(tracker: Any, cost: int) -> None:
    """Record the cost, before the reflection is stored: nothing later may undo it. A failure is only logged."""
    try:
        await in_caller_thread(tracker.record_operation_cost, OPERATION, cost / (100 * MICROCENTS))
    except Exception:
        _log.exception("the cost of a reflection was not recorded", microcents=cost)


async def _apart(work: Callable[..., Result], *arguments: Any) -> Result:
    """In a thread: it computes, and the limit of time need not wait for it."""
    return await asyncio.get_running_loop().run_in_executor(_threads, copy_context().run, work, *arguments)
