"""A catalog made ready for retrieval: built once for its content, then asked any number of times."""

import hashlib
from collections import OrderedDict
from collections.abc import Collection, Sequence
from threading import Lock
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from analysis.contracts.plans import Tool
from analysis.narrowing.ranker import Ranker, ranker_fitted
from analysis.narrowing.signals import Signals
from analysis.narrowing.texts import QUESTION_CHARACTERS, tool_text
from gateway.services import texts_embed_locally

Array = npt.NDArray[np.float32]
_KEPT: Final = 8
_AT_ONCE: Final = 64
"""Queries that are compared at a time: with a thousand tools their cosines take a few megabytes."""
_SOFTENED: Final = np.float32(0.5)
"""Fitted scores name the one likeliest tool. Halved, those behind it count too where queries are put together."""


class Embedder(Protocol):
    """As `texts_embed_locally`: the vectors of texts, of length 1, those of `keep` being kept."""

    def __call__(self, texts: Sequence[str], *, keep: Collection[str] = ()) -> Array: ...


class ToolIndex:
    """Tools and their vectors. The embedder keeps vectors by model and text, so a tool that stays costs nothing.

    `ranker` and `embed`: other coefficients, and another way to vectors, than those that come with the product.
    """

    def __init__(
        self, tools: Sequence[Tool], *, ranker: Ranker | None = None, embed: Embedder = texts_embed_locally
    ) -> None:
        if not tools:
            raise ValueError("an index needs a tool at least")
        self.tools = tuple(tools)
        self.places = {name: place for place, tool in enumerate(self.tools) for name in tool.other_names}
        self.places |= {tool.name: place for place, tool in enumerate(self.tools)}
        self._ranker, self._embed = ranker or ranker_fitted(), embed
        self._signals = Signals([tool_text(tool) for tool in self.tools], lambda texts: embed(texts, keep=texts))

    def scores(self, queries: Sequence[str]) -> Array:
        """How much each query means each tool, from 0 to 1: queries by tools, each row sums to 1."""
        if not queries:
            return np.zeros((0, len(self.tools)), dtype=np.float32)
        texts = [query[:QUESTION_CHARACTERS] for query in queries]
        vectors = self._embed(texts)
        rows = [
            self._ranker.score(self._signals, texts[at : at + _AT_ONCE], vectors[at : at + _AT_ONCE])
            for at in range(0, len(texts), _AT_ONCE)
        ]
        return _softmax(np.concatenate(rows) * _SOFTENED)


def _softmax(logits: Array) -> Array:
    powers = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares: Array = powers / powers.sum(axis=1, keepdims=True)
    return shares


class _Indices:
    """The indices of this process by the content of their catalogs, those used last."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, ToolIndex] = OrderedDict()
        self._lock = Lock()

    def __call__(self, tools: Sequence[Tool]) -> ToolIndex:
        key = _digest(tools)
        with self._lock:
            if index := self._kept.get(key):
                self._kept.move_to_end(key)
                return index
        index = ToolIndex(tools)
        with self._lock:
            self._kept[key] = index
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return index


def _digest(tools: Sequence[Tool]) -> str:
    content = hashlib.sha256()
    for tool in tools:
        content.update(tool.model_dump_json().encode("utf-8", "surrogatepass") + b"\n")
    return content.hexdigest()


index_of = _Indices()
"""The index of a catalog, kept in the process: `index_of(tools)`."""
