"""One reflection in the making: side by side the cause and the patterns, then attempts until the gate accepts one."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

import structlog
from asgiref.sync import sync_to_async

from accounts.models import User
from evaluation.contracts import Evaluation
from gateway.contracts import MICROCENTS, Payer, Tier
from gateway.cost_tracker import CostTracker
from gateway.deadlines import Running, acommit, aoperation_run
from gateway.degradation import degradation_allows
from gateway.errors import MetacognitionCostExceeded, MetacognitionTimeoutError, ModelUnavailable
from gateway.operations import operation_named
from gateway.passed_models import NoSense, PassedModel
from gateway.tiers import is_configured
from planning.contracts import Plan
from planning.selectors import user_planned_for
from planning.services import chain_of
from planning.steering import PassedMemory
from reflection.attempts import AttemptMade, Attempts, attempts_make
from reflection.causes import Cause, cause_of, reflection_of
from reflection.contracts import Metric, PatternFound, Reflection
from reflection.failure import Failure
from reflection.gate import Gate, gate_of, is_first
from reflection.models import Reflection as ReflectionRow
from reflection.remembering import failure_gathered
from reflection.selectors import reflection_of as reflection_stored
from reflection.services import Made, patterns_known, reflection_store
from reflection.writing import ModelWriter

AGENT, OPERATION = "reflector", "reflect_on_result"
_log = structlog.get_logger(__name__)
_threads = ThreadPoolExecutor(max_workers=4, thread_name_prefix="reflection")
Found = TypeVar("Found")


async def causes_look(failure: Failure) -> Cause:
    """The root cause, from what is on record."""
    async with aoperation_run("analyze_cause"):
        return await _apart(cause_of, failure)


async def patterns_look(failure: Failure) -> list[PatternFound]:
    """What keeps happening."""
    async with aoperation_run("identify_patterns"):
        return await _here(partial(patterns_known, failure=failure))


@dataclass(frozen=True)
class Looked:
    """A failure with what was seen in it, which every attempt starts from."""

    failure: Failure
    cause: Cause
    patterns: list[PatternFound]


@dataclass(frozen=True)
class Collaborators:
    """Those that were passed in; None: from the settings."""

    llm: PassedModel | None = None
    memory: PassedMemory | None = None
    cost_tracker: Any = None


class Reflecting:
    """One reflection. A model is asked where one may be; what it cannot say, the record does."""

    def __init__(
        self, collaborators: Collaborators, plan: Plan, evaluation: Evaluation, result: Any, *, with_model: bool
    ) -> None:
        self._with, self._plan, self._evaluation, self._result = collaborators, plan, evaluation, result
        self._asks = with_model and (collaborators.llm is not None or is_configured(Tier.CHEAP))
        self._writer: ModelWriter | None = None
        self._fallback = ""

    async def done(self, under_way: Running) -> Reflection:
        """Made, judged and stored; that of an evaluation that is not stored is only returned."""
        user = await _here(user_planned_for, self._plan.id) if self._plan.id else None
        tracker = self._with.cost_tracker or _tracker(user)
        estimate = (operation_named(OPERATION).cap or 0) / (100 * MICROCENTS) if self._asks else 0.0
        await _here(tracker.check_budget_before_operation, OPERATION, estimate)
        failure = await _here(failure_gathered, self._plan, self._evaluation, self._result, self._with.memory)
        looked = Looked(failure, *await asyncio.gather(causes_look(failure), patterns_look(failure)))
        attempts = await self._attempts(looked, user)
        made = Made(
            failure=failure,
            attempts=attempts,
            patterns=looked.patterns,
            is_first=is_first(failure),
            cost=self._writer.cost if self._writer else 0,
            fallback=self._fallback,
        )
        await _recorded(tracker, made.cost)
        if self._evaluation.id is None or self._plan.id is None:
            best = attempts.best
            return best.reflection.replaced(quality=best.validation, decision=best.validation.decision)
        row = await acommit(under_way, lambda: _store(under_way, made))
        return await _here(reflection_stored, row)

    async def _attempts(self, looked: Looked, user: User | None) -> Attempts:
        gate = gate_of(looked.failure, looked.patterns)
        if self._asks and await self._may_ask():
            self._writer = ModelWriter(self._with.llm, looked.failure, looked.patterns, _payer(self._plan, user))

        async def write(number: int, before: AttemptMade | None) -> AttemptMade:
            return await self._written(looked, gate, number, before)

        return await attempts_make(write)

    async def _may_ask(self) -> bool:
        """A passed model is always asked; ours not while too much takes too long."""
        if self._with.llm is not None or await _here(degradation_allows, "reflection"):
            return True
        self._fallback = "degraded"
        return False

    async def _written(self, looked: Looked, gate: Gate, number: int, before: AttemptMade | None) -> AttemptMade:
        said = await self._from_model(number, before)
        if said is not None:
            return AttemptMade(said, await _apart(gate, said), self._writer.model if self._writer else "")
        async with aoperation_run("decide_adjustments"):
            write = partial(reflection_of, root=looked.cause)
            written = await _apart(write, looked.failure, looked.patterns, _fallen(before), number)
        return AttemptMade(written, await _apart(gate, written))

    async def _from_model(self, number: int, before: AttemptMade | None) -> Reflection | None:
        """None where none is asked (any more): one that failed once is not asked again for this reflection."""
        if self._writer is None or self._fallback:
            return None
        try:
            return await self._writer.write(number, before)
        except MetacognitionTimeoutError:
            raise
        except (ModelUnavailable, MetacognitionCostExceeded, NoSense) as error:
            self._fallback = f"{type(error).__name__}: {error}"[:300]
        except Exception as error:
            if self._with.llm is None:
                raise
            _log.warning("a passed model was not followed", error=type(error).__name__)
            self._fallback = f"{type(error).__name__}: {error}"[:300]
        return None


def _fallen(before: AttemptMade | None) -> frozenset[Metric]:
    """The metrics in which an attempt fell short; none before the first."""
    faults = before.validation.faults if before else []
    return frozenset(fault.metric for fault in faults if fault.metric is not None)


def _store(under_way: Running, made: Made) -> ReflectionRow:
    under_way.check()
    return reflection_store(made=made, check=under_way.check)


def _tracker(user: User | None) -> CostTracker:
    return CostTracker(user.pk if user else None, is_guest=user is not None and user.is_guest, agent=AGENT)


def _payer(plan: Plan, user: User | None) -> Payer:
    return Payer(
        chain=chain_of(plan.id) if plan.id else "reflection",
        user_id=user.pk if user else None,
        is_guest=user is not None and user.is_guest,
        agent=AGENT,
    )


async def _recorded(tracker: Any, cost: int) -> None:
    """Before it is stored: nothing that comes after may undo it. A record that fails costs the record."""
    try:
        await _here(tracker.record_operation_cost, OPERATION, cost / (100 * MICROCENTS))
    except Exception:
        _log.exception("the cost of a reflection was not recorded", microcents=cost)


async def _here(work: Callable[..., Found], *arguments: Any) -> Found:
    """In the caller's thread, which has its connection."""
    return await sync_to_async(work, thread_sensitive=True)(*arguments)


async def _apart(work: Callable[..., Found], *arguments: Any) -> Found:
    """In a thread: it computes, and the limit of time need not wait for it."""
    return await asyncio.get_running_loop().run_in_executor(_threads, copy_context().run, work, *arguments)
