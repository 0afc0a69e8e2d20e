"""Quotas of a user's episodes, counted in the transaction that writes them. Source: RT-009, "Storage".

Writes lock the user's row of counts first, those of several users in the order of their keys: so there is no deadlock,
and no two writes take the same last place.
"""

import uuid
from collections.abc import Collection
from datetime import datetime

import structlog
from django.db import connection, transaction
from django.db.models import F
from django.utils.formats import localize
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.services import person_stays
from gateway.errors import MetacognitionStorageQuotaExceeded
from memory.errors import MemoryRefused
from memory.models import BYTES_AT_MOST, EPISODES_AT_MOST, Episode, MemoryRoom
from telemetry.contracts import EventDraft, EventLevel, EventName
from telemetry.services import events_append

_DELETE = """
WITH gone AS (DELETE FROM memory_episode WHERE id = ANY(%s) RETURNING user_id, bytes),
     freed AS (SELECT user_id, count(*) AS episodes, sum(bytes) AS bytes FROM gone GROUP BY user_id)
UPDATE memory_memoryroom AS room SET episodes = room.episodes - freed.episodes, bytes = room.bytes - freed.bytes
FROM freed WHERE room.user_id = freed.user_id RETURNING freed.episodes
"""
_COUNT = """
UPDATE memory_memoryroom AS room SET episodes = mine.episodes, bytes = mine.bytes
FROM (SELECT count(*) AS episodes, coalesce(sum(bytes), 0) AS bytes FROM memory_episode WHERE user_id = %(user)s)
     AS mine
WHERE room.user_id = %(user)s
"""
_PK_BITS = 63
CHAIN = "memory"
_log = structlog.get_logger(__name__)


class QuotaExceeded(MetacognitionStorageQuotaExceeded):
    """A quota would be exceeded; `quota` names it, with what is `used` of its `limit`."""

    def __init__(self, message: str, *, quota: str, used: int, limit: int) -> None:
        super().__init__(message)
        self.quota, self.used, self.limit = quota, used, limit


def quota_reserve(user_id: int, size: int, now: datetime) -> None:
    """Count one more episode of `size` bytes, in one conditional UPDATE that locks the user's row.

    One statement within the quotas. Where one would be exceeded, the user's expired episodes are deleted first. Raises
    `QuotaExceeded`.
    """
    if _taken(user_id, size):
        return
    quota_open(user_id)
    quotas_lock([user_id])
    expired = Episode.objects.filter(user_id=user_id, expires_at__lte=now).values_list("pk", flat=True)
    episodes_delete(list(expired))
    if not _taken(user_id, size):
        raise _full(MemoryRoom.objects.get(pk=user_id), size)


def quota_open(user_id: int) -> None:
    """Make the row of counts of a user where it is missing; the user must exist. One query."""
    MemoryRoom.objects.bulk_create([MemoryRoom(user_id=user_id)], ignore_conflicts=True)


def quotas_lock(user_ids: Collection[int]) -> None:
    """Lock the counts of these users until the transaction ends; every user with episodes has them. One query."""
    list(MemoryRoom.objects.select_for_update().filter(pk__in=set(user_ids)).order_by("pk").values_list("pk"))


def episodes_delete(ids: Collection[uuid.UUID]) -> int:
    """Delete these episodes and lower the counts, which must be locked; return how many there were. One query."""
    if not ids:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_DELETE, [list(ids)])
        return sum(count for (count,) in cursor.fetchall())


def quota_recount(user_id: int) -> None:
    """Count a user's episodes anew; the counts must be locked. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"user": user_id})


def _taken(user_id: int, size: int) -> bool:
    within = {"episodes__lt": EPISODES_AT_MOST, "bytes__lte": BYTES_AT_MOST - size}
    room = MemoryRoom.objects.filter(pk=user_id, **within)
    return bool(room.update(episodes=F("episodes") + 1, bytes=F("bytes") + size))


def _full(room: MemoryRoom, size: int) -> QuotaExceeded:
    if room.episodes >= EPISODES_AT_MOST:
        used, limit = room.episodes, EPISODES_AT_MOST
        text = _("The memory of this user is full: %(used)s of %(limit)s episodes.")
        values = {"used": localize(used), "limit": localize(limit)}
        return QuotaExceeded(text % values, quota="episodes", used=used, limit=limit)
    used, limit = room.bytes, BYTES_AT_MOST
    text = _("The memory of this user is full: %(used)s of %(limit)s bytes, and this takes %(size)s.")
    values = {"used": localize(used), "limit": localize(limit), "size": localize(size)}
    return QuotaExceeded(text % values, quota="bytes", used=used, limit=limit)


def user_pk(user: User | int) -> int:
    """The key of a user. Raises `MemoryRefused` for what cannot be one."""
    pk: object = user.pk if isinstance(user, User) else user
    if not isinstance(pk, int) or isinstance(pk, bool) or pk < 1 or pk.bit_length() > _PK_BITS:
        raise MemoryRefused(_("There is nobody to remember this for."))
    return pk


def user_require_active(user_id: int) -> None:
    """Raise `MemoryRefused` where there is no such user, or an erased one; else they stay so until the transaction
    ends. One statement.
    """
    if not person_stays(user_id=user_id):
        raise MemoryRefused(_("There is nobody to remember this for."))


@transaction.atomic
def refusal_record(refusal: QuotaExceeded, *, user_id: int) -> None:
    """Write down that a quota refused something, after what it refused was rolled back."""
    data = {"quota": refusal.quota, "used": refusal.used, "limit": refusal.limit, "user": user_id}
    _log.warning("a storage quota is reached", **data)
    draft = EventDraft(event=EventName.QUOTA_EXCEEDED, level=EventLevel.WARNING, data=data)
    events_append(chain=CHAIN, course="", mode="", drafts=[draft])
