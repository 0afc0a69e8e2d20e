"""Changes of strategy that reflections set for a user. Sources: RT-009, "Storage"; RF-008, "apply_adjustments"."""

import math
import uuid
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from memory.contracts import Adjustment
from memory.errors import MemoryRefused
from memory.models import StrategyAdjustment
from memory.services.quota import QuotaExceeded, refusal_record, user_pk, user_require_active
from memory.texts.validation import task_type_checked, text_checked

ADJUSTMENTS_AT_MOST = 1_000
"""In force at once, of one agent for one user: RT-009 says "per agent", and every user has theirs."""
ADJUSTMENT_KEPT = timedelta(days=90)
_PURGED_AT_ONCE = 1_000
_AGENT_LENGTH, _REFLECTION_LENGTH, _SETTING_LENGTH, _PREVIOUS_LENGTH, _TEXT_LENGTH = 31, 64, 60, 200, 500
_VALUE_LENGTH = 500
_LOCK = "SELECT pg_advisory_xact_lock(hashtext('memory.adjustments'), hashtext(%s))"


def adjustments_set(
    *,
    user: User | int,
    reflection_id: str,
    task_type: str,
    adjustments: Sequence[Adjustment],
    agent: str = "planner",
    now: datetime | None = None,
) -> list[StrategyAdjustment]:
    """Set what a reflection decided for a user, for 90 days; all or nothing, and once: the same reflection changes
    nothing any more, also where they were withdrawn. What they are, in order.

    Raises `MemoryRefused`, and `MetacognitionStorageQuotaExceeded` where more than 1,000 of the agent would be in
    force for the user, recorded as `episode_store` does.
    """
    pk, moment = user_pk(user), now or timezone.now()
    rows = [
        _row(pk, reflection_id, task_type, agent, moment, position, adjustment)
        for position, adjustment in enumerate(adjustments, start=1)
    ]
    try:
        with transaction.atomic():
            return _set(pk, reflection_id, agent, rows, moment)
    except QuotaExceeded as refusal:
        refusal_record(refusal, user_id=pk)
        raise


def adjustment_withdraw(*, user: User | int, adjustment_id: uuid.UUID | str, now: datetime | None = None) -> bool:
    """Let an adjustment of this user hold no longer; whether it did. Its row stays until it expires."""
    try:
        wanted = uuid.UUID(str(adjustment_id))
    except ValueError:
        return False
    in_force = StrategyAdjustment.objects.filter(user_id=user_pk(user), pk=wanted, withdrawn_at=None)
    return bool(in_force.update(withdrawn_at=now or timezone.now()))


def adjustments_purge(*, now: datetime) -> int:
    """Delete adjustments that have expired, in batches, and return how many there were."""
    gone = 0
    expired = StrategyAdjustment.objects.filter(expires_at__lte=now).values("pk")
    while batch := StrategyAdjustment.objects.filter(pk__in=expired[:_PURGED_AT_ONCE]).delete()[0]:
        gone += batch
    return gone


def _set(
    user_id: int, reflection_id: str, agent: str, rows: list[StrategyAdjustment], now: datetime
) -> list[StrategyAdjustment]:
    """Of two that set for one user at once the second waits, so that the count holds."""
    user_require_active(user_id)
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [f"{agent}:{user_id}"])
    earlier = StrategyAdjustment.objects.filter(user_id=user_id, reflection_id=reflection_id).order_by("position")
    if there := list(earlier):
        return there
    mine = StrategyAdjustment.objects.filter(user_id=user_id, agent=agent, withdrawn_at=None, expires_at__gt=now)
    used = mine.count()
    if used + len(rows) > ADJUSTMENTS_AT_MOST:
        text = _("%(used)s of %(limit)s adjustments of %(agent)s are in force; %(more)s more are too many.")
        text %= {"used": used, "limit": ADJUSTMENTS_AT_MOST, "agent": agent, "more": len(rows)}
        raise QuotaExceeded(text, quota="adjustments", used=used, limit=ADJUSTMENTS_AT_MOST)
    return StrategyAdjustment.objects.bulk_create(rows)


def _row(
    user_id: int,
    reflection_id: str,
    task_type: str,
    agent: str,
    now: datetime,
    position: int,
    adjustment: Adjustment,
) -> StrategyAdjustment:
    return StrategyAdjustment(
        user_id=user_id,
        task_type=task_type_checked(task_type),
        agent=text_checked(agent, _("agent"), _AGENT_LENGTH),
        reflection_id=text_checked(reflection_id, _("reflection"), _REFLECTION_LENGTH),
        position=position,
        operation=adjustment.operation,
        setting=text_checked(adjustment.setting, _("setting"), _SETTING_LENGTH),
        value=_value_checked(adjustment.value),
        previous=adjustment.previous
        and text_checked(adjustment.previous, _("previous value"), _PREVIOUS_LENGTH, empty=True),
        relative=adjustment.relative,
        text=text_checked(adjustment.text, _("adjustment"), _TEXT_LENGTH, empty=True),
        created_at=now,
        expires_at=now + ADJUSTMENT_KEPT,
    )


def _value_checked(value: str | int | float | bool | None) -> str | int | float | bool | None:
    if isinstance(value, str):
        return text_checked(value, _("value"), _VALUE_LENGTH, empty=True)
    endless = isinstance(value, float) and not math.isfinite(value)
    if endless or (isinstance(value, int) and value.bit_length() > 1024):
        raise MemoryRefused(_("The value is no number that can be stored."))
    return value
