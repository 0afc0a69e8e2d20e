"""Vectors of words in their sentence: the first layers of multilingual-e5-small (Wang et al. 2024, MIT), in integers of
eight bits, run by ONNX Runtime. `benchmarks/grading/encoder.py` made the files; the files of a version never change.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import onnxruntime

Floats = npt.NDArray[np.float32]
VERSION: Final = "encoder-1"
SIZE: Final = 768
"""Of a vector: 384 numbers of the fourth layer, then 384 of the eighth."""
_DATA: Final = Path(__file__).parent / "data"
_WORD_START: Final = "\u2581"
SPECIAL: Final = 6
"""Rows that no cut may take."""
_LONGEST: Final = 24
"""Characters of a piece."""
_READ: Final = 100
"""Letters of a word that are read."""
_UNKNOWN_SCORE: Final = -30.0
_MOST: Final = 5.0
"""How many standard deviations a number may be from its mean."""


@cache
def word_encoder() -> "WordEncoder":
    """The encoder of this process; the first call reads its files, which takes 0.1 s."""
    return WordEncoder()


class WordEncoder:
    """Gives the words of a text vectors that depend on the words around them."""

    def __init__(self) -> None:
        with np.load(_DATA / f"{VERSION}.npz", allow_pickle=False) as stored:
            self._pieces = Pieces(stored["pieces"].tobytes().decode().split("\n"), stored["scores"])
            self._quarters, self._scales = stored["quarters"], stored["scales"]
            self._places = stored["places"].astype(np.float32)
            self._mean, self._deviation = stored["mean"], stored["deviation"]
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._network = onnxruntime.InferenceSession(
            _DATA / f"{VERSION}.onnx", options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, words: Sequence[str]) -> Floats:
        """(words, 768), each number as standard deviations from its mean. Needs a word at least.

        Of a text that is too long (about 150 pieces of words), the last words have the vector of its end.
        """
        pieces, begins = list(self._pieces.before), list[int]()
        for word in words:
            begins.append(len(pieces))
            pieces += self._pieces.of(word)
        most = len(self._places) - 1
        ends = [min(end, most) for end in (*begins[1:], len(pieces))]
        pieces = [*pieces[:most], self._pieces.end]
        read = self._rows(pieces) + self._places[: len(pieces)]
        states = self._network.run(None, {"pieces": read[None]})[0][0]
        sums = np.concatenate([np.zeros((1, SIZE), dtype=np.float32), states.cumsum(axis=0)])
        starts = np.minimum(begins, np.array(ends) - 1)
        means = (sums[ends] - sums[starts]) / (np.array(ends) - starts)[:, None]
        vectors: Floats = np.clip((means - self._mean) / self._deviation, -_MOST, _MOST).astype(np.float32)
        return vectors

    def _rows(self, pieces: Sequence[int]) -> Floats:
        """The pieces' own vectors, which are kept in four bits, 32 numbers of one scale together."""
        packed = self._quarters[pieces]
        numbers = np.concatenate([packed & 15, packed >> 4], axis=-1).astype(np.float32) - 8
        rows: Floats = (numbers * self._scales[pieces].astype(np.float32)[..., None]).reshape(len(pieces), -1)
        return rows


class Pieces:
    """Parts of words by the likeliest cut (unigram language model: Kudo 2018). The first `SPECIAL` rows are the
    unknown piece, the end of a text, and what stands before every text.
    """

    def __init__(self, pieces: Sequence[str], scores: Floats) -> None:
        self._unknown, self.end, *before = range(SPECIAL)
        self.before = tuple(before)
        self._at = {piece: at for at, piece in enumerate(pieces) if at >= SPECIAL}
        self._scores = scores.tolist()
        self._kept = lru_cache(maxsize=50_000)(self._cut)

    def of(self, word: str) -> tuple[int, ...]:
        """The pieces of a word."""
        # Long words are seldom words; they are not kept.
        return (self._kept if len(word) <= _LONGEST else self._cut)(word[:_READ])

    def _cut(self, word: str) -> tuple[int, ...]:
        text = _WORD_START + word
        best = [0.0] + [-np.inf] * len(text)
        came: list[tuple[int, int]] = [(0, 0)] * (len(text) + 1)
        for end in range(1, len(text) + 1):
            for start in range(max(0, end - _LONGEST), end):
                at = self._at.get(text[start:end], self._unknown if end - start == 1 else None)
                if at is None:
                    continue
                score = best[start] + (_UNKNOWN_SCORE if at == self._unknown else self._scores[at])
                if score > best[end]:
                    best[end], came[end] = score, (start, at)
        found, end = list[int](), len(text)
        while end:
            end, at = came[end]
            found.append(at)
        return tuple(reversed(found))
