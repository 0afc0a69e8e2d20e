"""The network that judges an answer: words of the answer, the question and what is known of its answers go in, the
probabilities of right, partly right and wrong come out, and for each text of the author's, that the answer says it.

A small transformer over all of these texts together, in which attention between two words is biased by how they are
related (relation-aware attention: Shaw et al. 2018) and by how alike the embedder finds them. It is fitted by
`benchmarks/grading/fit.py`; here it only runs, in numpy. The file of a version never changes.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from scipy.special import erf

from .inputs import Floats, Inputs, Kind

VERSION: Final = "judge-1"
RESULTS: Final = ("right", "partly", "wrong")
NEAR, VERY_NEAR = 0.4, 0.7
"""Cosines from which likeness counts more."""
FILE: Final = Path(__file__).parent.parent / "data" / f"{VERSION}.npz"
_LEAST_DEVIATION: Final = 1e-5


@dataclass(frozen=True)
class Outcome:
    """Log odds of the results, in the order of `RESULTS`, and of each segment, that the answer says what it says."""

    results: Floats
    says: Floats


def outcome_of(inputs: Inputs) -> Outcome:
    """By the networks of this version, averaged."""
    outcomes = [network.outcome(inputs) for network in networks()]
    return Outcome(
        results=np.mean([outcome.results for outcome in outcomes], axis=0),
        says=np.mean([outcome.says for outcome in outcomes], axis=0),
    )


@cache
def networks() -> tuple["Network", ...]:
    """The fitted networks, read once."""
    with np.load(FILE, allow_pickle=False) as stored:
        arrays = {name: stored[name].astype(np.float32) for name in stored.files}
    numbers = sorted({name.split("/")[0] for name in arrays})
    return tuple(
        Network({name.split("/")[1]: array for name, array in arrays.items() if name.split("/")[0] == number})
        for number in numbers
    )


class Network:
    """One fitted network. `arrays` are its weights by their names in `benchmarks.grading.network`."""

    def __init__(self, arrays: Mapping[str, Floats]) -> None:
        self._arrays = arrays
        self._attentions = arrays["cosine"].shape[1]
        self._kinds = len(arrays["word_kind.weight"])
        self._layers = 1 + max(int(name.split(".")[1]) for name in arrays if name.startswith("layers."))
        # One row for each attention, by relation and the two kinds.
        table = arrays["relation.weight"][:, None] + arrays["kinds.weight"][None]
        self._table = np.ascontiguousarray(table.reshape(-1, self._attentions).T)

    def outcome(self, inputs: Inputs) -> Outcome:
        arrays = self._arrays
        words = self._linear("word", inputs.vectors) + arrays["word_kind.weight"][inputs.kinds]
        words += arrays["place.weight"][inputs.places]
        wholes = self._linear("whole", inputs.vectors) + arrays["head_kind.weight"][inputs.kinds]
        x = np.where(inputs.is_head[:, None], wholes, words) + self._linear("marks", inputs.marks)
        x = self._norm("start", x)
        bias = self._bias(inputs)
        for at in range(self._layers):
            x = self._next(f"layers.{at}", x, bias)
        x = self._norm("end", x)
        own = x[(inputs.kinds == Kind.ANSWER) & ~inputs.is_head]
        heads = x[list(inputs.heads)]
        beside = np.broadcast_to(x[0], heads.shape)
        return Outcome(
            results=self._two("result", np.concatenate([x[0], own.mean(axis=0), own.max(axis=0)])[None], last=3)[0],
            says=self._two("says", np.concatenate([heads, beside, heads * beside], axis=1), last=2)[:, 0],
        )

    def _linear(self, name: str, x: Floats) -> Floats:
        product: Floats = x @ self._arrays[f"{name}.weight"].T + self._arrays[f"{name}.bias"]
        return product

    def _norm(self, name: str, x: Floats) -> Floats:
        centred = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _LEAST_DEVIATION)
        normed: Floats = centred / spread * self._arrays[f"{name}.weight"] + self._arrays[f"{name}.bias"]
        return normed

    def _two(self, name: str, x: Floats, *, last: int) -> Floats:
        return self._linear(f"{name}.{last}", _gelu(self._linear(f"{name}.0", x)))

    def _bias(self, inputs: Inputs) -> Floats:
        kinds = inputs.kinds[:, None] * self._kinds + inputs.kinds[None]
        bias = self._table[:, inputs.relations * self._kinds**2 + kinds]
        cosines, weights = inputs.cosines, self._arrays["cosine"]
        near = (cosines, np.maximum(cosines - NEAR, 0) * 4, np.maximum(cosines - VERY_NEAR, 0) * 8)
        for weight, part in zip(weights, near, strict=True):
            bias = bias + weight[:, None, None] * part
        return bias

    def _next(self, name: str, x: Floats, bias: Floats) -> Floats:
        places, size = x.shape
        asked = self._linear(f"{name}.asks", self._norm(f"{name}.first", x))
        query, key, value = asked.reshape(places, 3, self._attentions, -1).transpose(1, 2, 0, 3)
        heed = query @ key.transpose(0, 2, 1) / math.sqrt(size / self._attentions) + bias
        heed = np.exp(heed - heed.max(axis=-1, keepdims=True))
        heed /= heed.sum(axis=-1, keepdims=True)
        given = (heed @ value).transpose(1, 0, 2).reshape(places, size)
        x = x + self._linear(f"{name}.gives", given)
        return x + self._linear(f"{name}.outer", _gelu(self._linear(f"{name}.inner", self._norm(f"{name}.second", x))))


def _gelu(x: Floats) -> Floats:
    curve: Floats = x * 0.5 * (1 + erf(x / math.sqrt(2)))
    return curve
