"""How much room a user's episodes take: counted in the transaction that writes them. Source: RT-009, "Storage".

Whoever takes or gives room locks its row first, the rows of several users in the order of their keys: nobody waits in
a circle, and no two writes take the same last place.
"""

import uuid
from collections.abc import Collection
from datetime import datetime

from django.db import connection
from django.db.models import F
from django.utils.formats import localize
from django.utils.translation import gettext as _

from gateway.errors import MetacognitionStorageQuotaExceeded
from memory.models import BYTES_AT_MOST, EPISODES_AT_MOST, Episode, MemoryRoom

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


class RoomFull(MetacognitionStorageQuotaExceeded):
    """A quota would be exceeded; `quota` names it, with what is `used` of its `limit`."""

    def __init__(self, message: str, *, quota: str, used: int, limit: int) -> None:
        super().__init__(message)
        self.quota, self.used, self.limit = quota, used, limit


def room_take(user_id: int, size: int, now: datetime) -> None:
    """Take the place of one episode of `size` bytes, in one conditional UPDATE that holds the user's row afterwards.

    One statement where there is room. Where it is short, the user's expired episodes are deleted first. Raises
    `RoomFull`.
    """
    if _taken(user_id, size):
        return
    room_make(user_id)
    rooms_lock([user_id])
    expired = Episode.objects.filter(user_id=user_id, expires_at__lte=now).values_list("pk", flat=True)
    episodes_delete(list(expired))
    if not _taken(user_id, size):
        raise _full(MemoryRoom.objects.get(pk=user_id), size)


def room_make(user_id: int) -> None:
    """See to it that a user, who must be there, has a room."""
    MemoryRoom.objects.bulk_create([MemoryRoom(user_id=user_id)], ignore_conflicts=True)


def rooms_lock(user_ids: Collection[int]) -> None:
    """Hold the rooms of these users until the transaction ends. Whoever has episodes has a room."""
    list(MemoryRoom.objects.select_for_update().filter(pk__in=set(user_ids)).order_by("pk").values_list("pk"))


def episodes_delete(ids: Collection[uuid.UUID]) -> int:
    """Delete these episodes and give their room back; how many there were. Their rooms must be locked. One query."""
    if not ids:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_DELETE, [list(ids)])
        return sum(count for (count,) in cursor.fetchall())


def room_count(user_id: int) -> None:
    """Count anew what a user has. Their room must be locked."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNT, {"user": user_id})


def _taken(user_id: int, size: int) -> bool:
    within = {"episodes__lt": EPISODES_AT_MOST, "bytes__lte": BYTES_AT_MOST - size}
    room = MemoryRoom.objects.filter(pk=user_id, **within)
    return bool(room.update(episodes=F("episodes") + 1, bytes=F("bytes") + size))


def _full(room: MemoryRoom, size: int) -> RoomFull:
    if room.episodes >= EPISODES_AT_MOST:
        used, limit = room.episodes, EPISODES_AT_MOST
        text = _("The memory of this user is full: %(used)s of %(limit)s episodes.")
        values = {"used": localize(used), "limit": localize(limit)}
        return RoomFull(text % values, quota="episodes", used=used, limit=limit)
    used, limit = room.bytes, BYTES_AT_MOST
    text = _("The memory of this user is full: %(used)s of %(limit)s bytes, and this takes %(size)s.")
    values = {"used": localize(used), "limit": localize(limit), "size": localize(size)}
    return RoomFull(text % values, quota="bytes", used=used, limit=limit)
