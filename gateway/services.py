"""Writes of the gateway, and the way to its models."""

from collections.abc import Collection, Sequence

from gateway.contracts import MICROCENTS, Vectors
from gateway.embedding_cache import cache_trim
from gateway.embeddings import local_embedder
from gateway.models import Account


def account_open(*, scope: str, key: str, limit_cents: int, escalations: int) -> None:
    """Open the account of `key`, once: an account that exists keeps its limit and what it spent."""
    Account.objects.get_or_create(
        scope=scope,
        key=key,
        defaults={"limit": limit_cents * MICROCENTS, "escalations_limit": escalations},
    )


def texts_embed_locally(texts: Sequence[str], *, keep: Collection[str] = ()) -> Vectors:
    """A vector of each text by `LOCAL_EMBEDDING_MODEL`: deterministic and free, so no account is asked or charged.

    Those texts that are in `keep` too are kept in the database for all processes: what comes back, such as an author's
    texts. What a learner writes must not be in it. The first call of a process loads the model, which takes a second.
    """
    return local_embedder()(texts, keep=keep)


def embeddings_trim() -> int:
    """Hold what the database keeps of embeddings to `EMBEDDING_CACHE_ROWS`, and return how many rows went."""
    return cache_trim()
