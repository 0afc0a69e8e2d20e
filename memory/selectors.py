"""Reads of memory. What has expired is not read, whether it was deleted yet or not."""

import json
from datetime import datetime

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from memory.contracts import ActiveAdjustment, EpisodeOutcome, Memory, MemoryType
from memory.models import Episode, Preference, StrategyAdjustment
from memory.texts.scoring import EMBEDDER, SIMILAR, query_vector, scoring
from memory.texts.validation import task_type_checked

TOP_AT_MOST = 100
_PREFERENCES_AT_MOST = 500


def episodes_similar(
    user_id: int, query: str, task_type: str | None, top_k: int, now: datetime | None = None
) -> list[Memory]:
    """What happened to this user that a task like `query` can learn from, the best first; at most `top_k`, or 100.

    Of this task type and of none; with no type (None or "") of every type. How they are scored, and what is too little
    to be returned, is in `memory.texts.scoring`. An empty query finds by type alone. One query, an exact scan of the
    user's rows, after the embedder. Raises `MemoryRefused` for what cannot be a task type, as the others do.
    """
    wanted = task_type_checked(task_type or "")
    if top_k < 1:
        return []
    vector = query_vector(query)
    parameters = {
        **scoring(wanted),
        "user": user_id,
        "embedder": EMBEDDER,
        "vector": vector.to_text() if vector else None,
        "types": [wanted, ""] if wanted else None,
        "now": now or timezone.now(),
        "limit": min(top_k, TOP_AT_MOST),
    }
    with connection.cursor() as cursor:
        cursor.execute(SIMILAR, parameters)
        columns = [column.name for column in cursor.description]
        rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    # A cursor of Django leaves JSON as it is written.
    return [Memory(**{**row, "metadata": json.loads(row["metadata"])}) for row in rows]


def episodes_latest(user_id: int, task_type: str, limit: int, now: datetime | None = None) -> list[Memory]:
    """What happened to this user in tasks of exactly this type, the latest first. One query, no embedder."""
    theirs = Episode.objects.filter(user_id=user_id, task_type=task_type_checked(task_type))
    rows = theirs.filter(expires_at__gt=now or timezone.now()).defer("embedding").order_by("-created_at", "pk")
    return [episode_as_memory(row) for row in rows[:limit]]


def episode_as_memory(episode: Episode) -> Memory:
    """As `retrieve` gives it, but for its score. No query."""
    return Memory(
        id=str(episode.pk),
        content=episode.content,
        task_type=episode.task_type,
        outcome=EpisodeOutcome(episode.outcome),
        timestamp=episode.created_at,
        metadata=episode.metadata,
    )


def preferences_of(user_id: int, task_type: str = "") -> list[Memory]:
    """What the user wants or cannot have in tasks of this type, also what is for every task. One query."""
    rows = Preference.objects.filter(_for_type(task_type), user_id=user_id).order_by("created_at", "pk")
    return [preference_as_memory(row) for row in rows[:_PREFERENCES_AT_MOST]]


def preference_as_memory(preference: Preference) -> Memory:
    """As `retrieve` gives it. No query."""
    return Memory(
        id=str(preference.pk),
        content=preference.text,
        memory_type=MemoryType.SEMANTIC,
        task_type=preference.task_type,
        timestamp=preference.created_at,
    )


def adjustments_of(user_id: int, task_type: str = "", now: datetime | None = None) -> list[ActiveAdjustment]:
    """What is set for the user in tasks of this type, those for every task among them, the oldest first. One query."""
    rows = StrategyAdjustment.objects.filter(
        _for_type(task_type), user_id=user_id, withdrawn_at=None, expires_at__gt=now or timezone.now()
    )
    return [
        ActiveAdjustment.from_object(row, id=str(row.pk), adjustment=row)
        for row in rows.order_by("created_at", "reflection_id", "position")
    ]


def _for_type(task_type: str) -> Q:
    return Q(task_type="") | Q(task_type=task_type_checked(task_type))
