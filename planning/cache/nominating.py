"""Which cached plans may serve a task: similar ones are looked at, and the guard decides. One query, one embedding."""

from datetime import datetime
from typing import Any, Final

from django.utils import timezone
from pgvector.django import CosineDistance

from gateway.contracts import Vectors
from gateway.services import texts_embed_locally
from planning.cache.calibration import EMBEDDER, THRESHOLD, share_probability
from planning.cache.contracts import Nomination, Relation
from planning.cache.guard import relation_of
from planning.cache.likeness import likenesses_of
from planning.models import CachedPlan
from planning.understanding.contracts import TaskReading

CANDIDATES_AT_MOST: Final = 12
"""Entries that the guard looks at: the most similar ones."""
FURTHEST: Final = 0.65
"""Cosine distance from which entries are not looked at: what a task adds may take it this far from another."""


def nominate(*, owner: str, reading: TaskReading, now: datetime | None = None) -> list[Nomination]:
    """Cached plans of this owner that may serve the task, the most probable first; plans made in other circumstances
    are among them. One query.
    """
    vector = texts_embed_locally([reading.task])[0]
    found: list[tuple[dict[str, Any], Relation]] = []
    for entry in _candidates(owner, reading, vector.tolist(), now or timezone.now()):
        relation = relation_of(entry["plan__task"], reading.task, reading.language)
        if not relation.conflicts:
            found.append((entry, relation))
    pairs = [(entry["plan__task"], reading.task, relation) for entry, relation in found]
    nominated = [
        Nomination(
            entry_id=entry["pk"],
            plan_id=entry["plan_id"],
            circumstances=entry["circumstances"],
            probability=probability,
            additions=relation.additions,
        )
        for (entry, relation), likeness in zip(found, likenesses_of(pairs, _embed), strict=True)
        if (probability := share_probability(likeness)) >= THRESHOLD
    ]
    return sorted(nominated, key=lambda one: (len(one.additions), -one.probability, -one.entry_id))


def _candidates(owner: str, reading: TaskReading, vector: list[float], now: datetime) -> Any:
    return (
        CachedPlan.objects.filter(
            owner=owner,
            task_type=reading.task_type,
            language=reading.language,
            embedder=EMBEDDER,
            quarantined_at=None,
            expires_at__gt=now,
        )
        .annotate(distance=CosineDistance("embedding", vector))
        .filter(distance__lt=FURTHEST)
        .order_by("distance", "-pk")
        .values("pk", "plan_id", "plan__task", "circumstances")[:CANDIDATES_AT_MOST]
    )


def _embed(texts: Any) -> Vectors:
    return texts_embed_locally(list(texts))
