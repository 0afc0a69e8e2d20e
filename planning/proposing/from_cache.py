"""The plan cache as a plan in the making asks it. Source: RF-007, scenario 5; design.md, "Settled", 1."""

from collections.abc import Sequence
from hashlib import sha256
from uuid import UUID

from asgiref.sync import sync_to_async

from memory.contracts import ActiveAdjustment
from planning.cache import Nomination, circumstances_of, entry_hit, entry_store, nominate, plan_adjusted
from planning.contracts import Plan, PlanMetadata, PlanSource
from planning.errors import PlanNotFound
from planning.experience import Learnings
from planning.selectors import plan_read
from planning.services import plan_faults
from planning.understanding.contracts import TaskReading


class Caching:
    """First `look` for plans of similar tasks, then, when it is known what else shapes a plan, see whether one fits."""

    def __init__(self, owner: str, reading: TaskReading, proposer: str) -> None:
        self._owner, self._reading, self._proposer = owner, reading, proposer
        self._nominated: Sequence[Nomination] = ()
        self._circumstances = ""

    async def look(self) -> None:
        """Ask the cache. Plans made under other circumstances may be among what it nominates."""
        self._nominated = await sync_to_async(nominate, thread_sensitive=True)(owner=self._owner, reading=self._reading)

    async def found(
        self, preferences: Sequence[str], adjustments: Sequence[ActiveAdjustment], learnings: Learnings
    ) -> Plan | None:
        """The best plan that was made under the same circumstances, adjusted to this task; None where there is none."""
        shaped = circumstances_of(adjustments, preferences, learnings)
        self._circumstances = sha256(f"{self._proposer}:{shaped}".encode()).hexdigest()
        fitting = [nomination for nomination in self._nominated if nomination.circumstances == self._circumstances]
        return await sync_to_async(self._first_whole, thread_sensitive=True)(fitting) if fitting else None

    def entry(self, plan_id: UUID) -> None:
        """Let the plan serve similar tasks; part of the transaction that stores it."""
        entry_store(plan_id=plan_id, owner=self._owner, reading=self._reading, circumstances=self._circumstances)

    def _first_whole(self, nominated: Sequence[Nomination]) -> Plan | None:
        for nomination in nominated:
            try:
                cached = plan_read(nomination.plan_id)
            except PlanNotFound:  # it went meanwhile
                continue
            adjusted, notes = plan_adjusted(cached, self._reading, nomination.additions)
            metadata = cached.metadata.model_dump() | {
                "source": PlanSource.CACHE,
                "cached_from": str(nomination.plan_id),
                "similarity": round(nomination.probability, 4),
                "cache_adjustments": notes,
                "cost_microcents": 0,
            }
            del metadata["created_at"]
            plan = adjusted.replaced(task=self._reading.task, metadata=PlanMetadata(**metadata))
            if not plan_faults(plan):
                entry_hit(nomination.entry_id)
                return plan
        return None
