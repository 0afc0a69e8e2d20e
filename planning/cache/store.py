"""The entries of the plan cache: for an hour, a thousand in all, the oldest go. Source: RT-009, "Caches"."""

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from gateway.services import texts_embed_locally
from memory.contracts import ActiveAdjustment
from planning.cache.nominating import EMBEDDER
from planning.events import tell
from planning.experience.contracts import Learnings
from planning.models import CachedPlan, Plan
from planning.understanding.contracts import TaskReading
from telemetry.contracts import EventName

TTL: Final = timedelta(hours=1)
ENTRIES_AT_MOST: Final = 1_000

_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtext('planning.cache'))"
_TRIM: Final = """
DELETE FROM planning_cachedplan WHERE expires_at <= %s
    OR id IN (SELECT id FROM planning_cachedplan ORDER BY created_at DESC, id DESC OFFSET %s)
"""


def circumstances_of(adjustments: Sequence[ActiveAdjustment], preferences: Sequence[str], learnings: Learnings) -> str:
    """A hash of what shapes a plan beside its task, whatever the order: SHA-256 in hex."""
    shaping = {
        "adjustments": sorted(
            json.dumps([entry.reflection_id, entry.adjustment.model_dump(mode="json")], sort_keys=True)
            for entry in adjustments
        ),
        "preferences": sorted(set(preferences)),
        "learnings": [sorted(set(learnings.preferences)), sorted(set(learnings.constraints))],
    }
    return hashlib.sha256(json.dumps(shaping, sort_keys=True).encode()).hexdigest()


def entry_store(
    *, plan_id: UUID, owner: str, reading: TaskReading, circumstances: str, now: datetime | None = None
) -> CachedPlan:
    """Let the plan serve similar tasks of its owner for an hour; needs the caller's transaction.

    It takes the place of the owner's entry for a task with the same facts in the same circumstances. Expired entries
    go, and the oldest above a thousand. Two that store at once stand in line until the first one's transaction ends.
    """
    assert connection.in_atomic_block, "the plan and its entry are stored together"
    moment = now or timezone.now()
    vector = texts_embed_locally([reading.task])[0]
    with connection.cursor() as cursor:
        cursor.execute(_LOCK)
    same = {
        "owner": owner,
        "task_type": reading.task_type,
        "language": reading.language,
        "circumstances": circumstances,
        "embedder": EMBEDDER,
        "facts": reading.facts.model_dump(mode="json"),
    }
    CachedPlan.objects.filter(**same).delete()
    entry = CachedPlan.objects.create(
        plan_id=plan_id, embedding=vector.tolist(), created_at=moment, expires_at=moment + TTL, **same
    )
    with connection.cursor() as cursor:
        cursor.execute(_TRIM, [moment, ENTRIES_AT_MOST])
    return entry


def entry_hit(entry_id: int, *, now: datetime | None = None) -> None:
    CachedPlan.objects.filter(pk=entry_id).update(hits=F("hits") + 1, last_hit_at=now or timezone.now())


@transaction.atomic
def quarantine(*, plan_id: UUID, now: datetime | None = None) -> int:
    """Let the plan serve nobody any more, nor the one that it was itself made from; how many entries that were.

    Event plan.quarantined in the chain of each entry's plan.
    """
    moment = now or timezone.now()
    source = Plan.objects.filter(pk=plan_id).values_list("metadata__cached_from", flat=True).first()
    plans = [plan_id, *([UUID(source)] if source else [])]
    entries = list(
        CachedPlan.objects.select_for_update(of=("self",))
        .filter(plan__in=plans, quarantined_at=None)
        .order_by("pk")
        .values_list("pk", "plan_id")
    )
    CachedPlan.objects.filter(pk__in=[pk for pk, _plan in entries]).update(quarantined_at=moment)
    for _pk, plan in entries:
        tell(plan, EventName.PLAN_QUARANTINED, {"failed": str(plan_id)}, moment)
    return len(entries)


@transaction.atomic
def evict(*, entry_id: int, by: User, reason: str) -> bool:
    """Take an entry out; its plan stays. False where it has gone already. Event plan.evicted in the plan's chain."""
    entry = CachedPlan.objects.select_for_update(of=("self",)).filter(pk=entry_id).first()
    if entry is None:
        return False
    plan_id = entry.plan_id
    entry.delete()
    tell(plan_id, EventName.PLAN_EVICTED, {"by": by.pk, "reason": reason})
    return True


def entries_purge(*, now: datetime | None = None) -> int:
    """Delete entries that have expired, and the oldest above a thousand; how many went."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_TRIM, [now or timezone.now(), ENTRIES_AT_MOST])
        return int(cursor.rowcount)
