"""How near texts are to tools, as numbers: cosines of embeddings, and words."""

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from analysis.narrowing.lexical import Lexical
from analysis.narrowing.texts import ToolText

Array = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]
Embed = Callable[[Sequence[str]], Array]
DESCRIBED: Final = ("whole", "description", "name", "clause", "clauses", "grams", "overlap")
EXEMPLIFIED: Final = ("example", "examples", "example_grams")
"""Signals of the texts of a tool, and of the questions that it has as examples."""
_SHARPNESS: Final = 20.0
"""How fast an example counts less with its distance: at a cosine 0.1 lower, a seventh."""


class Signals:
    """The texts of a catalog as vectors and words."""

    def __init__(self, texts: Sequence[ToolText], embed: Embed) -> None:
        self._whole = embed([text.whole for text in texts])
        self._description = embed([text.description for text in texts])
        self._name = embed([text.name for text in texts])
        self._clauses = _Groups([text.clauses for text in texts], embed)
        self._lexical = Lexical([text.words for text in texts])
        self.exemplified: Places = np.flatnonzero([bool(text.examples) for text in texts])
        """The places of the tools that have examples."""
        shown = [text.examples for text in texts if text.examples]
        self._examples = _Groups(shown, embed)
        self._shown = Lexical([" ".join(examples) for examples in shown])
        document = self._description + self._whole / 2 + self._name / 2
        self.documents: Array = document / np.linalg.norm(document, axis=1, keepdims=True)
        """A vector of each tool, of length 1."""

    def described(self, queries: Sequence[str], vectors: Array) -> Array:
        """The signals of `DESCRIBED`: queries by tools by signals."""
        clauses = vectors @ self._clauses.vectors.T
        signals = (
            vectors @ self._whole.T,
            vectors @ self._description.T,
            vectors @ self._name.T,
            self._clauses.highest(clauses),
            self._clauses.mean(clauses),
            np.stack([self._lexical.grams(query) for query in queries]),
            np.stack([self._lexical.overlap(query) for query in queries]),
        )
        return np.stack(signals, axis=-1)

    def shown(self, queries: Sequence[str], vectors: Array) -> Array:
        """The signals of `EXEMPLIFIED`, for the tools that have examples."""
        cosines = vectors @ self._examples.vectors.T
        near = np.log(self._examples.mean(np.exp(_SHARPNESS * (cosines - 1))) + np.float32(1e-9))
        grams = np.stack([self._shown.grams(query) for query in queries])
        return np.stack((self._examples.highest(cosines), near / np.float32(_SHARPNESS), grams), axis=-1)


class _Groups:
    """Several texts for each tool, at least one."""

    def __init__(self, groups: Sequence[Sequence[str]], embed: Embed) -> None:
        self.vectors = embed([text for group in groups for text in group])
        self._sizes = np.array([len(group) for group in groups], dtype=np.int64)
        self._starts = np.concatenate(([0], np.cumsum(self._sizes)[:-1])).astype(np.int64)

    def highest(self, values: Array) -> Array:
        """The highest value of each group: queries by groups."""
        highest: Array = np.maximum.reduceat(values, self._starts, axis=1)
        return highest

    def mean(self, values: Array) -> Array:
        """The mean value of each group."""
        means = np.add.reduceat(values, self._starts, axis=1) / self._sizes.astype(np.float32)
        return means.astype(np.float32)
