"""The space in which a question is near its answers, whatever words these have: canonical correlation of vectors.

Nearness in the embedder's own space is that of paraphrases, and an answer is no paraphrase of its question. Here two
linear maps, one for texts of a topic and one for replies, take vectors to where a question and its answers agree most
(Hotelling 1936; with ridge: Vinod 1976). `python -m benchmarks.deviation --fit` writes the file.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating[Any]]
SPACE_FILE: Final = Path(__file__).parent / "data" / "deviation_space.npz"


@dataclass(frozen=True)
class TopicSpace:
    """Means and maps of both kinds of text; a map is (the embedder's dimensions, the space's)."""

    topic_mean: Floats
    topic_map: Floats
    reply_mean: Floats
    reply_map: Floats

    def topics(self, vectors: Floats) -> Floats:
        """Texts of a topic in this space. A long vector says much of what is asked; "Why?" has a short one."""
        mapped: Floats = (vectors - self.topic_mean) @ self.topic_map
        return mapped

    def reply(self, vector: Floats) -> Floats:
        """A reply in this space."""
        mapped: Floats = (vector - self.reply_mean) @ self.reply_map
        return mapped


@cache
def topic_space() -> TopicSpace:
    """The space that is shipped."""
    with np.load(SPACE_FILE, allow_pickle=False) as arrays:
        return TopicSpace(**{name: arrays[name].astype(np.float32) for name in arrays.files})
