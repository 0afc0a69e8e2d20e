"""From a task to a plan. Sources: RF-007; RT-009; design.md, "Names that stay put" and "Settled", 1, 7 and 10."""

import asyncio
import uuid
from collections.abc import Sequence
from functools import cache
from typing import Any

import structlog
from asgiref.sync import async_to_sync, sync_to_async

from accounts.models import User
from accounts.selectors import user_referred_to
from core.errors import RowThere
from gateway.client.passed_models import PassedModel
from gateway.contracts import MICROCENTS, Payer
from gateway.ledger.cost_tracker import CostTracker
from gateway.operations.deadlines import Running, acommit, aoperation_run
from gateway.operations.registry import operation_named
from gateway.services import texts_embed_locally
from memory.contracts import Memory
from memory.manager import MemoryManager
from planning.contracts import (
    DesiredResult,
    Plan,
    PlanMetadata,
    Step,
    SuccessCriterion,
)
from planning.errors import PlanRefused
from planning.experience import adjustments_apply, learnings_apply, learnings_of
from planning.experience.context import Known, MemoryReader, PassedMemory, adjustments_known
from planning.proposing.from_cache import Caching
from planning.proposing.proposer import AGENT, Proposed, Proposing
from planning.selectors import plan_there
from planning.services import chain_of, owner_of, plan_save
from planning.templates import config_of, steps_of
from planning.understanding import task_read
from planning.understanding.contracts import TaskReading

_log = structlog.get_logger(__name__)
Person = User | int | str | None
_PLANS = uuid.UUID("8b8f6a52-6d0a-4b1f-9a0e-5f0f3d1c7e21")
"""Names space for the ids of plans that were asked for by a key."""


@cache
def warm_up() -> None:
    """Load what plans are made with, once in a process: a second or two that no operation's time should pay for."""
    reading = task_read("Book hotel in Paris")
    steps_of(reading)
    learnings_of([Memory(id="1", content="User prefers quality over price")])
    texts_embed_locally(["Book hotel in Paris"])


async def _warm() -> None:
    if not warm_up.cache_info().currsize:
        await asyncio.get_running_loop().run_in_executor(None, warm_up)


class PlanningLayer:
    """Makes plans. Collaborators that are left out come from the settings.

    `llm`: anything with `complete(prompt) -> str`; its failure falls back to the templates. `memory`: anything with
    `retrieve`. `cost_tracker`: anything with `check_budget_before_operation` and `record_operation_cost`, in US
    dollars. Where a model is configured no transaction may be open; on an event loop use the methods with `a`.
    """

    def __init__(
        self, llm: PassedModel | None = None, memory: PassedMemory | None = None, cost_tracker: Any = None
    ) -> None:
        self.proposing, self._cost_tracker = Proposing(llm), cost_tracker
        self._memory = MemoryReader(MemoryManager() if memory is None else memory)

    def create_plan(
        self,
        task: str,
        user_id: Person = None,
        timeout_ms: int | None = None,
        task_type: str | None = None,
        criteria: Sequence[str | SuccessCriterion] | None = None,
        *,
        key: str = "",
        evaluated_by: str = "",
    ) -> Plan:
        """A whole plan for the task, stored. `key` names who wants it: asked with the same one again, it is the same.
        `evaluated_by` names the app that alone may evaluate the plan, empty for none.

        With `criteria` these are the plan's, and no similar plan is looked for. Raises `MetacognitionCostExceeded`
        before anything is done, `MetacognitionTimeoutError` after 5 s or `timeout_ms`, when nothing is stored,
        `PlanRefused` where no criterion can be measured, and `ValueError` for a task that is none.
        """
        return async_to_sync(self.acreate_plan)(
            task, user_id, timeout_ms, task_type, criteria, key=key, evaluated_by=evaluated_by
        )

    async def acreate_plan(
        self,
        task: str,
        user_id: Person = None,
        timeout_ms: int | None = None,
        task_type: str | None = None,
        criteria: Sequence[str | SuccessCriterion] | None = None,
        *,
        key: str = "",
        evaluated_by: str = "",
    ) -> Plan:
        """`create_plan`, awaited."""
        await _warm()
        async with aoperation_run("create_plan", timeout_ms=timeout_ms) as under_way:
            reading = task_read(task, task_type)
            user = None if user_id is None else await sync_to_async(user_referred_to, thread_sensitive=True)(user_id)
            owner = owner_of(user, user_id)
            under_way.user_id = user.pk if user else None
            plan_id = uuid.uuid5(_PLANS, f"{owner}:{key}") if key else uuid.uuid4()
            if key and (there := await sync_to_async(plan_there, thread_sensitive=True)(plan_id)) is not None:
                return _same(there, reading)
            tracker = self._tracker(user)
            await self._check_budget(tracker, "create_plan", reading)
            planning = _Planning(self, reading, user or user_id, user, plan_id)
            plan = await planning.made(under_way, criteria)
            await _recorded(tracker, plan)
            return await planning.saved(under_way, plan, evaluated_by)

    def decompose_task(self, task: str, desired_result: DesiredResult | None = None, context: Any = None) -> list[Step]:
        """The steps of the task, in order; nothing is stored. `context`: what else is known, for a model."""
        return async_to_sync(self.adecompose_task)(task, desired_result, context)

    async def adecompose_task(
        self, task: str, desired_result: DesiredResult | None = None, context: Any = None
    ) -> list[Step]:
        """`decompose_task`, awaited."""
        await _warm()
        reading = task_read(task)
        await self._check_budget(self._tracker(None), "decompose_task", reading)
        context_texts = [text for text in (desired_result and str(desired_result), context and str(context)) if text]
        payer = Payer(chain=chain_of(uuid.uuid4()), agent=AGENT)
        return (await self.proposing.proposed(reading, context_texts, payer)).steps

    def retrieve_experience(self, task: str, user_id: Person = None, task_type: str | None = None) -> list[Memory]:
        """What happened to the user in similar tasks of this type, best first, at most five."""
        return async_to_sync(self.aretrieve_experience)(task, user_id, task_type)

    async def aretrieve_experience(
        self, task: str, user_id: Person = None, task_type: str | None = None
    ) -> list[Memory]:
        """`retrieve_experience`, awaited."""
        await _warm()
        async with aoperation_run("retrieve_experience"):
            kind = task_type or task_read(task).task_type
            return await self._memory.experience(task, user_id, kind)

    async def known(self, reading: TaskReading, user_id: Person) -> tuple[list[Memory], Known]:
        """Experience and context, side by side."""
        experience, known = await asyncio.gather(
            self.aretrieve_experience(reading.task, user_id, reading.task_type),
            self._memory.context(reading.task, user_id, reading.task_type),
        )
        return experience, known

    def _tracker(self, user: User | None) -> Any:
        """The passed one, or that of whom the plan is for."""
        own = self._cost_tracker
        return own or CostTracker.of(user, agent=AGENT)

    async def _check_budget(self, tracker: Any, operation: str, reading: TaskReading) -> None:
        """Before anybody is asked anything."""
        estimate = self._estimate_cost(operation, reading)
        await sync_to_async(tracker.check_budget_before_operation, thread_sensitive=True)(operation, estimate)

    def _estimate_cost(self, operation: str, reading: TaskReading) -> float:
        """US dollars at most: the operation's cap where a model may be asked, else nothing."""
        cap = operation_named(operation).cap or operation_named("create_plan").cap or 0
        return cap / (100 * MICROCENTS) if self.proposing.asks_a_model(reading) else 0.0


class _Planning:
    def __init__(
        self, layer: PlanningLayer, reading: TaskReading, person: Person, user: User | None, plan_id: uuid.UUID
    ) -> None:
        self._layer, self._reading, self._person, self._user = layer, reading, person, user
        self._id, self._owner = plan_id, owner_of(user, person)
        self._caching: Caching | None = None

    async def made(self, under_way: Running, criteria: Sequence[str | SuccessCriterion] | None) -> Plan:
        caching = None
        if criteria is None:
            caching = Caching(self._owner, self._reading, self._layer.proposing.name(self._reading))
            under_way.cache_hit = False
            await caching.look()
        experience, known = await self._layer.known(self._reading, self._person)
        learnings = learnings_of(experience)
        adjustments = adjustments_known(known, experience)
        if caching is not None:
            cached = await caching.found(known.preferences, adjustments, learnings)
            if cached is not None:
                under_way.cache_hit = True
                return cached.replaced(id=self._id)
        proposed = await self._layer.proposing.proposed(self._reading, known.preferences, self._payer())
        plan = self._plan(proposed, known, criteria)
        plan = learnings_apply(plan, learnings, self._reading)
        if proposed.fallback is None:  # a stand-in must not keep a model from being asked for an hour
            self._caching = caching
        return adjustments_apply(plan, adjustments, self._reading)

    def _plan(self, proposed: Proposed, known: Known, criteria: Sequence[str | SuccessCriterion] | None) -> Plan:
        return Plan(
            id=self._id,
            task=self._reading.task,
            desired_result=proposed.desired_result,
            steps=proposed.steps,
            success_criteria=proposed.criteria
            if criteria is None
            else [*map(SuccessCriterion.model_validate, criteria)],
            config=config_of(self._reading),
            metadata=PlanMetadata(
                source=proposed.source,
                task_type=self._reading.task_type,
                language=self._reading.language,
                preferences=known.preferences,
                model=proposed.model,
                fallback=proposed.fallback,
                cost_microcents=proposed.cost,
            ),
        )

    def _payer(self) -> Payer:
        return Payer.of(self._user, chain=chain_of(self._id), agent=AGENT)

    async def saved(self, under_way: Running, plan: Plan, evaluated_by: str) -> Plan:
        """Store it, unless the time is over."""

        def save() -> Plan:
            under_way.check()
            try:
                return plan_save(
                    plan=plan,
                    user=self._user,
                    owner=self._owner,
                    evaluated_by=evaluated_by,
                    also=self._caching.entry if self._caching else None,
                    check=under_way.check,
                )
            except RowThere:
                there = plan_there(self._id)
                if there is None:
                    raise
                return _same(there, self._reading)  # somebody else with the same key came first

        return await acommit(under_way, save)


async def _recorded(tracker: Any, plan: Plan) -> None:
    """Before the plan is stored: nothing that comes after may undo it. A record that fails costs the record."""
    dollars = plan.metadata.cost_microcents / (100 * MICROCENTS)
    try:
        await sync_to_async(tracker.record_operation_cost, thread_sensitive=True)("create_plan", dollars)
    except Exception:
        _log.exception("the cost of a plan was not recorded", dollars=dollars)


def _same(there: Plan, reading: TaskReading) -> Plan:
    """The plan that was made under the key. Raises `PlanRefused` where that was for another task."""
    if there.task != reading.task:
        raise PlanRefused("The key was used for another task.", [("/key", "must be a new one for another task")])
    return there
