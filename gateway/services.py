"""Writes of the gateway, and the way to its local model."""

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.utils import timezone

from gateway.alerts import alert_raise
from gateway.alerts_periodic import periodic_alerts_raise
from gateway.call_texts import KeptText, texts_erase, texts_erase_of, texts_kept, texts_purge
from gateway.contracts import Vectors
from gateway.embedding_cache import cache_trim
from gateway.embeddings import local_embedder
from gateway.ledger import account_open, adjust, correct
from gateway.models import OperationTiming
from gateway.pricing import price_set

__all__ = (
    "account_open",
    "adjust",
    "alert_raise",
    "alerts_check",
    "call_texts_erase",
    "call_texts_erase_of",
    "call_texts_kept",
    "correct",
    "embeddings_trim",
    "gateway_purge",
    "price_set",
    "texts_embed_locally",
)

TIMINGS_KEPT = timedelta(days=90)
_TIMINGS_AT_ONCE = 50_000


def texts_embed_locally(texts: Sequence[str], *, keep: Collection[str] = ()) -> Vectors:
    """A vector of each text by `LOCAL_EMBEDDING_MODEL`: deterministic and free, so no account is asked or charged.

    Those texts that are in `keep` too are kept in the database for all processes: what comes back, such as an author's
    texts. What a learner writes must not be in it. The first call of a process loads the model, which takes a second.
    """
    return local_embedder()(texts, keep=keep)


def embeddings_trim() -> int:
    """Hold what the database keeps of embeddings to `EMBEDDING_CACHE_ROWS`, and return how many rows went."""
    return cache_trim()


def alerts_check() -> int:
    """Raise the alerts that only figures over some time show, and return how many were new."""
    return periodic_alerts_raise(now=timezone.now())


def call_texts_erase(*, user_id: int) -> int:
    """Erase what models were sent and said for a user, where that was kept, and return how many texts that were."""
    return texts_erase(user_id=user_id)


def call_texts_kept(*, since: datetime) -> list[KeptText]:
    """What was kept of calls that were begun since then: who owns the words in it can tell what must go."""
    return texts_kept(since=since)


def call_texts_erase_of(*, hold_ids: Collection[uuid.UUID]) -> int:
    """Erase what was kept of these calls, and return how many texts that were."""
    return texts_erase_of(hold_ids=hold_ids)


def gateway_purge() -> int:
    """Erase texts of calls that were kept for long enough or whose user is erased, and delete old timings; how many
    rows that were.
    """
    old = OperationTiming.objects.filter(at__lt=timezone.now() - TIMINGS_KEPT).order_by("at")
    timings = OperationTiming.objects.filter(pk__in=old.values("pk")[:_TIMINGS_AT_ONCE]).delete()[0]
    return texts_purge() + timings
