"""Which cached plans may serve a task: similar ones are looked at, and the guard decides. One query, one embedding.

How alike two tasks are becomes the probability that one plan may serve both (design.md, "Settled", 1). The model is
fitted for one embedder and knows no other: another embedder, or another fit, is another version with a file of its own,
and entries of other versions are not looked at. `python -m benchmarks.plan_cache_fit` writes the file.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

from django.utils import timezone
from pgvector.django import CosineDistance

from gateway.contracts import LOCAL_EMBEDDING_MODEL, Vectors
from gateway.services import texts_embed_locally
from language.calibration import LogisticModel
from planning.cache.contracts import Addition, Nomination, Relation
from planning.cache.guard import relation_of
from planning.models import CachedPlan
from planning.understanding.contracts import TaskReading

VERSION: Final = 2
EMBEDDER: Final = f"{LOCAL_EMBEDDING_MODEL}/{VERSION}"
"""The embedder that is stored with an entry."""
FILE: Final = Path(__file__).parent / "data" / f"{LOCAL_EMBEDDING_MODEL}-{VERSION}.json"
THRESHOLD: Final = 0.85
"""Source: RT-009, "Caches". From this probability on a plan is shared."""
SHORT: Final = 6
"""Pieces of a task up to which one that has no counterpart makes it another task."""
REWORDED: Final = 3
"""Pieces without counterpart on both sides from which a longer task may be the same in other words."""

Embed = Callable[[Sequence[str]], Vectors]


def share_probabilities(pairs: Sequence[tuple[str, str, Relation]], embed: Embed) -> list[float]:
    """How probable it is that one plan may serve both tasks, of each pair of cached and new task with its relation.

    0 for pairs that conflict. All texts are embedded at once.
    """
    open_pairs = [pair for pair in pairs if not is_other_task(pair[2])]
    if not open_pairs:
        return [0.0] * len(pairs)
    old = embed([cached for cached, _new, _relation in open_pairs])
    fresh = embed([without_additions(new, relation.additions) for _cached, new, relation in open_pairs])
    cosines = iter((old * fresh).sum(axis=1))
    return [
        0.0 if is_other_task(relation) else _model().probability(features_of(float(next(cosines)), relation))
        for _cached, _new, relation in pairs
    ]


def is_other_task(relation: Relation) -> bool:
    """Whether facts alone decide: they conflict, or a piece of a short task has no counterpart, or a few of a long one.
    Where much differs a long text may be the same in other words, and the model says.
    """
    fewest, most = sorted((relation.loose_cached, relation.loose_new))
    is_reworded = fewest >= REWORDED and relation.common + most > SHORT
    return bool(relation.conflicts) or (most > 0 and not is_reworded)


def features_of(cosine: float, relation: Relation) -> dict[str, float]:
    """What the model weighs: the cosine without what is only added, and the share of pieces that both tasks have."""
    loose = max(relation.loose_cached, relation.loose_new)
    return {
        "cosine": cosine,
        "share": relation.common / max(relation.common + loose, 1),
    }


def without_additions(task: str, additions: Sequence[Addition]) -> str:
    """The task without what it only adds."""
    for addition in sorted(additions, key=lambda addition: -addition.start):
        task = task[: addition.start] + " " + task[addition.end :]
    return " ".join(task.split()).replace(" ,", ",").strip(" ,") or "-"


@cache
def _model() -> LogisticModel:
    return LogisticModel.read(FILE)


CANDIDATES_AT_MOST: Final = 12
"""Entries that the guard looks at: the most similar ones."""
FURTHEST: Final = 0.65
"""Cosine distance from which entries are not looked at: what a task adds may take it this far from another."""


def nominate(*, owner: str, reading: TaskReading, now: datetime | None = None) -> list[Nomination]:
    """Cached plans of this owner that may serve the task, the most probable first; plans made in other circumstances
    are among them. One query.
    """
    vector = texts_embed_locally([reading.task])[0]
    entries = list(_candidates(owner, reading, vector.tolist(), now or timezone.now()))
    pairs = [
        (cached, reading.task, relation_of(cached, reading.task, reading.language))
        for cached in (entry["plan__task"] for entry in entries)
    ]
    nominated = [
        Nomination(
            entry_id=entry["pk"],
            plan_id=entry["plan_id"],
            circumstances=entry["circumstances"],
            probability=probability,
            additions=relation.additions,
        )
        for entry, (_cached, _new, relation), probability in zip(
            entries, pairs, share_probabilities(pairs, texts_embed_locally), strict=True
        )
        if probability >= THRESHOLD
    ]
    return sorted(nominated, key=lambda entry: (len(entry.additions), -entry.probability, -entry.entry_id))


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
