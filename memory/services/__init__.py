"""Writes of memory. None of them calls a model; the vector of an episode is computed before a transaction is open."""

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from memory.contracts import EpisodeOutcome
from memory.models import DIMENSIONS, Episode, Preference
from memory.services.adjustments import adjustment_withdraw, adjustments_purge, adjustments_set
from memory.services.quota import (
    QuotaExceeded,
    episodes_delete,
    quota_open,
    quota_reserve,
    quotas_lock,
    refusal_record,
    user_pk,
    user_require_active,
)
from memory.texts.scoring import EMBEDDER, vector_of
from memory.texts.validation import CONTENT_LENGTH, metadata_checked, outcome_checked, task_type_checked, text_checked

__all__ = (
    "adjustment_withdraw",
    "adjustments_set",
    "episode_store",
    "episodes_forget",
    "memories_purge",
    "preference_set",
    "preference_withdraw",
)

EPISODE_KEPT = timedelta(days=90)
VECTOR_BYTES = 2 * DIMENSIONS
PREFERENCES_AT_MOST = 200
_PURGED_AT_ONCE = 1_000
_PREFERENCE_LENGTH, _SOURCE_LENGTH = 500, 120


class _Known(Exception):
    """Another process stored the same event meanwhile."""


def episode_store(
    user: User | int,
    content: str,
    task_type: str,
    outcome: EpisodeOutcome | str,
    metadata: dict[str, Any] | None = None,
    *,
    source: str = "",
    now: datetime | None = None,
) -> Episode:
    """Remember what happened to a user, for 90 days. The event `source` is stored once: the first row is returned.

    Raises `MemoryRefused` for what does not fit or a user who is not there (any more), and, over 5,000 episodes or
    50 MB, `MetacognitionStorageQuotaExceeded`. Nothing is stored then but event quota.exceeded in the chain "memory";
    in a transaction of the caller's it stays if that is committed. Sources: RT-009, "Storage"; design.md, "Names that
    stay put".
    """
    episode = _draft(user, content, task_type, outcome, metadata, source, now or timezone.now())
    if known := _same_event(episode):
        return known
    episode.embedding = vector_of(content)
    try:
        with transaction.atomic():
            _store(episode)
    except _Known:
        return Episode.objects.get(user_id=episode.user_id, source=source)
    except QuotaExceeded as refusal:
        refusal_record(refusal, user_id=episode.user_id)
        raise
    return episode


@transaction.atomic
def episodes_forget(*, user: User | int, ids: Collection[uuid.UUID] | None = None) -> int:
    """Delete these episodes of a user, or all (None), and return how many there were."""
    pk = user_pk(user)
    theirs = Episode.objects.filter(user_id=pk)
    if ids is not None:
        theirs = theirs.filter(pk__in=list(ids))
    if not theirs.exists():
        return 0
    quotas_lock([pk])
    return episodes_delete(list(theirs.values_list("pk", flat=True)))


def preference_set(*, user: User | int, text: str, task_type: str = "") -> Preference:
    """Remember what a user wants or cannot have, for tasks of a type or ("") for all; the same is stored once.

    Raises `MemoryRefused`, and over `PREFERENCES_AT_MOST` of a user the quota's error, recorded as of an episode.
    """
    pk, wanted = user_pk(user), text_checked(text, _("preference"), _PREFERENCE_LENGTH).strip()
    values = {"user_id": pk, "task_type": task_type_checked(task_type), "text": wanted}
    try:
        with transaction.atomic():
            user_require_active(pk)
            quota_open(pk)
            quotas_lock([pk])
            known = Preference.objects.filter(**values).first()
            used = 0 if known else Preference.objects.filter(user_id=pk).count()
            if used >= PREFERENCES_AT_MOST:
                text = _("The memory of this user is full: %(used)s of %(limit)s preferences.")
                text %= {"used": used, "limit": PREFERENCES_AT_MOST}
                raise QuotaExceeded(text, quota="preferences", used=used, limit=PREFERENCES_AT_MOST)
            return known or Preference.objects.create(**values)
    except QuotaExceeded as refusal:
        refusal_record(refusal, user_id=pk)
        raise


def preference_withdraw(*, user: User | int, preference_id: int) -> bool:
    """Forget a preference of this user; whether there was one."""
    return bool(Preference.objects.filter(user_id=user_pk(user), pk=preference_id).delete()[0])


def memories_purge(*, now: datetime | None = None) -> int:
    """Delete what has expired, in batches, and return how many episodes and adjustments that were."""
    moment, gone = now or timezone.now(), 0
    while batch := _episodes_purge(moment):
        gone += batch
    return gone + adjustments_purge(now=moment)


def _draft(
    user: User | int,
    content: str,
    task_type: str,
    outcome: EpisodeOutcome | str,
    metadata: dict[str, Any] | None,
    source: str,
    now: datetime,
) -> Episode:
    text = text_checked(content, _("content"), CONTENT_LENGTH)
    values, size = metadata_checked(metadata)
    return Episode(
        user_id=user_pk(user),
        task_type=task_type_checked(task_type),
        content=text,
        outcome=outcome_checked(outcome),
        metadata=values,
        source=text_checked(source, _("source"), _SOURCE_LENGTH, empty=True),
        embedder=EMBEDDER,
        bytes=len(text.encode()) + size + VECTOR_BYTES,
        created_at=now,
        expires_at=now + EPISODE_KEPT,
    )


def _same_event(episode: Episode) -> Episode | None:
    if not episode.source:
        return None
    return Episode.objects.filter(user_id=episode.user_id, source=episode.source).first()


def _store(episode: Episode) -> None:
    """Five statements with those of the transaction; one more for an event, which no other can store meanwhile."""
    user_require_active(episode.user_id)
    try:
        quota_reserve(episode.user_id, episode.bytes, episode.created_at)
    except QuotaExceeded:
        if _same_event(episode):
            raise _Known from None
        raise
    if _same_event(episode):
        raise _Known
    episode.save(force_insert=True)


@transaction.atomic
def _episodes_purge(now: datetime) -> int:
    expired = Episode.objects.filter(expires_at__lte=now).order_by("expires_at").values_list("pk", "user_id")
    batch = list(expired[:_PURGED_AT_ONCE])
    if not batch:
        return 0
    quotas_lock([user_id for _pk, user_id in batch])
    episodes_delete([pk for pk, _user_id in batch])
    return len(batch)
