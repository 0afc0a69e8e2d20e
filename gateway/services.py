"""Writes of the gateway, and the way to its local model."""

from collections.abc import Collection, Sequence
from datetime import timedelta

from django.utils import timezone

from gateway.client.call_texts import call_texts_erase, call_texts_erase_of, call_texts_kept, call_texts_purge
from gateway.contracts import Vectors
from gateway.embedding.cache import embeddings_trim
from gateway.embedding.local import local_embedder
from gateway.figures.alerts import periodic_alerts_raise
from gateway.ledger import account_open, adjust, correct
from gateway.ledger.pricing import price_set
from gateway.models import OperationTiming
from gateway.operations.alerts import alert_raise

__all__ = (
    "account_open",
    "adjust",
    "alert_raise",
    "call_texts_erase",
    "call_texts_erase_of",
    "call_texts_kept",
    "correct",
    "embeddings_trim",
    "gateway_purge",
    "periodic_alerts_raise",
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


def gateway_purge() -> int:
    """Erase texts of calls that were kept for long enough or whose user is erased, and delete old timings; how many
    rows that were.
    """
    old = OperationTiming.objects.filter(at__lt=timezone.now() - TIMINGS_KEPT).order_by("at")
    timings = OperationTiming.objects.filter(pk__in=old.values("pk")[:_TIMINGS_AT_ONCE]).delete()[0]
    return call_texts_purge() + timings
