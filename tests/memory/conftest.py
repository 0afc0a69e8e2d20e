"""Memories made fast, without the embedder, and what is true of every room."""

from datetime import timedelta

from django.db import connection
from django.db.models import Count, Sum
from django.utils import timezone

from accounts.models import User
from memory.models import DIMENSIONS, Episode, MemoryRoom
from memory.texts.scoring import EMBEDDER

_FILL = """
INSERT INTO memory_episode
    (id, user_id, task_type, content, outcome, metadata, source, embedder, embedding, bytes, created_at, expires_at)
SELECT gen_random_uuid(), %(user)s, '', 'episode ' || n, 'success', '{}',
       CASE WHEN %(prefix)s = '' THEN '' ELSE %(prefix)s || n END, %(embedder)s, %(vector)s::halfvec, %(size)s, at,
       at + interval '90 days'
FROM (SELECT n, %(now)s - interval '1 second' * (%(count)s - n) AS at FROM generate_series(0, %(count)s - 1) AS n) AS t
"""


def fill(user: User, count: int, *, size: int = 1_000, age: timedelta = timedelta(), prefix: str = "") -> None:
    """Store so many episodes of `size` bytes beside those there are, the last one the youngest; they expire in time."""
    values: dict[str, str | int] = {"user": user.pk, "count": count, "size": size, "prefix": prefix}
    values |= {"embedder": EMBEDDER, "vector": str([1, *[0] * (DIMENSIONS - 1)])}
    with connection.cursor() as cursor:
        cursor.execute(_FILL, {**values, "now": timezone.now() - age})
    episodes, taken = stored(user)
    MemoryRoom.objects.update_or_create(pk=user.pk, defaults={"episodes": episodes, "bytes": taken})


def stored(user: User) -> tuple[int, int]:
    """How many episodes there are, and their bytes."""
    found = Episode.objects.filter(user=user).aggregate(episodes=Count("pk"), bytes=Sum("bytes"))
    return found["episodes"], found["bytes"] or 0


def room(user: User) -> tuple[int, int]:
    """The same, as counted."""
    here = MemoryRoom.objects.filter(pk=user.pk).first()
    return (here.episodes, here.bytes) if here else (0, 0)


def rooms_are_true(*users: User) -> bool:
    return all(room(user) == stored(user) for user in users)
