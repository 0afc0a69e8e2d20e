"""The rule of the well-known semantic routers: the mean of the five utterances of a route that are most alike, on the
same embedder, and one threshold below which a message belongs to none, fitted on validation rows.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from benchmarks.routing.data import Message
from gateway.services import texts_embed_locally
from routing.packs.pack import Pack

_TOP: Final = 5
_AT_ONCE: Final = 256
Floats = npt.NDArray[np.float64]


class Floor:
    """Routes by a pack's examples."""

    def __init__(self, pack: Pack) -> None:
        self.keys = pack.keys
        self._vectors = [
            texts_embed_locally([text for texts in domain.examples.values() for text in texts])
            for domain in pack.domains
        ]

    def scores(self, messages: Sequence[str]) -> Floats:
        """Of each message by domain: the mean of its five highest similarities."""
        parts = [self._scored(messages[start : start + _AT_ONCE]) for start in range(0, len(messages), _AT_ONCE)]
        return np.concatenate(parts)

    def _scored(self, messages: Sequence[str]) -> Floats:
        vectors = texts_embed_locally(messages)
        columns = []
        for examples in self._vectors:
            top = min(_TOP, len(examples))
            columns.append(np.partition(vectors @ examples.T, len(examples) - top, axis=1)[:, -top:].mean(axis=1))
        return np.stack(columns, axis=1).astype(np.float64)


def threshold_fitted(scores: Floats, keys: Sequence[str], messages: Sequence[Message]) -> float:
    """The threshold with the best share of right answers, "none" being right for what belongs to none."""
    best, right = scores.max(axis=1), np.array([message.domain for message in messages], dtype=object)
    named = np.array([keys[place] for place in scores.argmax(axis=1)], dtype=object)
    cuts = np.unique(np.quantile(best, np.linspace(0, 1, 200)))
    shares = [np.where(best >= cut, named == right, [one is None for one in right]).mean() for cut in cuts]
    return float(cuts[int(np.argmax(shares))])
