"""Vectors that the database keeps for all processes. See docs/decisions/0017-embedding-cache.md.

Whatever happens to the database costs the cache and nothing else: vectors are computed anew.
"""

import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta

import numpy as np
import numpy.typing as npt
import structlog
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

from gateway.models import CachedEmbedding

REFRESHED = timedelta(days=1)
"""How exactly it is known when a vector was last used: a row is not written at each reading."""
PAUSE_SECONDS = 60.0
"""How long a database that failed is left alone."""
BULK = 100
"""Texts of one call that no turn of a learner has: only such calls make room for what they write."""
TRIM_AFTER = 10_000
_ROWS_AT_ONCE = 1000
_SALT = "gateway.embedding_cache"
_NORM_SLACK = 1e-3
_log = structlog.get_logger(__name__)

Vector = npt.NDArray[np.float32]

# Rows that another process holds are passed over: they are being used, refreshed or deleted at this moment.
_REFRESH = """
UPDATE gateway_cachedembedding SET used_at = %s
WHERE id = ANY(ARRAY(SELECT id FROM gateway_cachedembedding WHERE id = ANY(%s) ORDER BY id FOR UPDATE SKIP LOCKED))
"""
_LOCK_TRIMMING = "SELECT pg_try_advisory_xact_lock(hashtext('gateway.embeddings.trim'))"
_DELETE_OLDEST = """
DELETE FROM gateway_cachedembedding
WHERE id = ANY(ARRAY(SELECT id FROM gateway_cachedembedding ORDER BY used_at, id LIMIT %s FOR UPDATE SKIP LOCKED))
"""


class EmbeddingCache:
    """The kept vectors of one model. Nothing here raises; inside a transaction nothing is read or written.

    A statement that fails there would take the transaction with it, and rows written there would hold up others.
    """

    def __init__(self, model: str, dimensions: int) -> None:
        self._model, self._dimensions = model, dimensions
        self._left_alone_until = 0.0
        self._written = 0

    def read(self, texts: Collection[str]) -> dict[str, Vector]:
        """The vectors there are. One query; one more on the first use of a day, or for rows that are broken."""
        vectors: dict[str, Vector] = {}
        if not texts or not self._is_usable():
            return vectors
        with self._tolerantly():
            by_digest = {digest_of(text): text for text in texts}
            rows = CachedEmbedding.objects.filter(model=self._model, digest__in=list(by_digest))
            stale, broken, long_ago = [], [], timezone.now() - REFRESHED
            for pk, digest, stored, used_at in rows.values_list("pk", "digest", "vector", "used_at"):
                vector = self._vector(bytes(stored))
                if vector is None:
                    broken.append(pk)
                    continue
                vectors[by_digest[bytes(digest)]] = vector
                if used_at < long_ago:
                    stale.append(pk)
            if stale:
                with connection.cursor() as cursor:
                    cursor.execute(_REFRESH, [timezone.now(), stale])
            if broken:
                _log.warning("broken vectors in the embedding cache", rows=len(broken))
                CachedEmbedding.objects.filter(pk__in=broken).delete()
        return vectors

    def write(self, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors; those that another process was faster with stay as they are."""
        if not vectors or not self._is_usable():
            return
        with self._tolerantly():
            now, stored = (
                timezone.now(),
                {digest_of(text): vector.astype("<f4").tobytes() for text, vector in vectors.items()},
            )
            # In one order everywhere: two processes that write the same texts must not wait for each other.
            rows = [
                CachedEmbedding(model=self._model, digest=digest, vector=stored[digest], used_at=now)
                for digest in sorted(stored)
            ]
            CachedEmbedding.objects.bulk_create(rows, batch_size=_ROWS_AT_ONCE, ignore_conflicts=True)
            self._written += len(rows)
            if len(rows) >= BULK and self._written >= min(TRIM_AFTER, settings.EMBEDDING_CACHE_ROWS):
                self._written = 0
                embeddings_trim()

    def _is_usable(self) -> bool:
        if settings.EMBEDDING_CACHE_ROWS == 0 or time.monotonic() < self._left_alone_until:
            return False
        return not connection.in_atomic_block

    @contextmanager
    def _tolerantly(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # whatever it is, the vectors can be computed
            self._left_alone_until = time.monotonic() + PAUSE_SECONDS
            _log.warning("the embedding cache is left out for a while", seconds=PAUSE_SECONDS, reason=str(error))
            connection.close_if_unusable_or_obsolete()  # whoever asks the database next gets a connection that works

    def _vector(self, stored: bytes) -> Vector | None:
        """None for what is no vector of this model: shortened, or damaged."""
        if len(stored) != 4 * self._dimensions:
            return None
        vector = np.frombuffer(stored, dtype="<f4").astype(np.float32)
        with np.errstate(all="ignore"):  # a sum with NaN or infinity in it is not near 1 either
            return vector if abs(float(vector @ vector) - 1) <= _NORM_SLACK else None


def embeddings_trim() -> int:
    """Delete what was not used for longest, down to the limit, and return how many rows that were.

    One at a time: two that counted the same rows would each delete the excess. Who comes second leaves it to the first.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_LOCK_TRIMMING)
        (mine,) = cursor.fetchone()
        excess = CachedEmbedding.objects.count() - settings.EMBEDDING_CACHE_ROWS
        if not mine or excess <= 0:
            return 0
        cursor.execute(_DELETE_OLDEST, [excess])
        return int(cursor.rowcount)


def digest_of(text: str) -> bytes:
    """The key of a text: without the server's secret key it does not show which text was here."""
    return salted_hmac(_SALT, text.encode("utf-8", "surrogatepass"), algorithm="sha256").digest()
