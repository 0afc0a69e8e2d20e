"""Writes of the gateway, and the way to its local model."""

from collections.abc import Collection, Sequence
from datetime import timedelta

from django.utils import timezone

from gateway.alerts_periodic import periodic_alerts_raise
from gateway.call_texts import texts_purge
from gateway.contracts import Vectors
from gateway.embedding_cache import cache_trim
from gateway.embeddings import local_embedder
from gateway.ledger import account_open, adjust, correct
from gateway.models import OperationTiming
from gateway.pricing import price_set

__all__ = (
    "account_open",
    "adjust",
    "alerts_check",
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


def gateway_purge() -> int:
    """Erase texts of calls and delete timings that were kept for long enough; how many rows that were."""
    old = OperationTiming.objects.filter(at__lt=timezone.now() - TIMINGS_KEPT).order_by("at")
    timings = OperationTiming.objects.filter(pk__in=old.values("pk")[:_TIMINGS_AT_ONCE]).delete()[0]
    return texts_purge() + timings
