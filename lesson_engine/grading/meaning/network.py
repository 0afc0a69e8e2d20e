"""The network that judges an answer: words of the answer, the question and what is known of its answers go in, the
probabilities of right, partly right and wrong come out, and for each text of the author's, that the answer says it.

A small transformer over all of these texts together, in which attention between two words is biased by how they are
related (relation-aware attention: Shaw et al. 2018) and by how alike their vectors are. It is fitted by
`benchmarks/grading/fit.py`; here it only runs, in numpy. The file of a version never changes.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from language.layers import Floats, Weights, attended, gelu, stored_weights

from .inputs import Inputs, Kind

VERSION: Final = "judge-1"
RESULTS: Final = ("right", "partly", "wrong")
NEAR, VERY_NEAR = 0.4, 0.7
"""Cosines from which likeness counts more."""
FILE: Final = Path(__file__).parent.parent / "data" / f"{VERSION}.npz"


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
    """The fitted networks of this version."""
    return tuple(Network(weights) for weights in stored_weights(FILE))


class Network:
    """One fitted network. Its weights have the names of `benchmarks.grading.network`."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._attentions = weights["cosine"].shape[1]
        self._kinds = len(weights["word_kind.weight"])
        self._layers = sum(name.endswith(".asks.weight") for name in weights.arrays)
        # One row for each attention, by relation and the two kinds.
        table = weights["relation.weight"][:, None] + weights["kinds.weight"][None]
        self._table = np.ascontiguousarray(table.reshape(-1, self._attentions).T)

    def outcome(self, inputs: Inputs) -> Outcome:
        weights = self._weights
        words = weights.linear("word", inputs.vectors) + weights["word_kind.weight"][inputs.kinds]
        words += weights["place.weight"][inputs.places]
        wholes = weights.linear("whole", inputs.vectors) + weights["head_kind.weight"][inputs.kinds]
        x = np.where(inputs.is_head[:, None], wholes, words) + weights.linear("marks", inputs.marks)
        x = weights.norm("start", x)
        bias = self._bias(inputs)
        for at in range(self._layers):
            x = self._next(f"layers.{at}", x, bias)
        x = weights.norm("end", x)
        own = x[(inputs.kinds == Kind.ANSWER) & ~inputs.is_head]
        heads = x[list(inputs.heads)]
        beside = np.broadcast_to(x[0], heads.shape)
        return Outcome(
            results=weights.two("result", np.concatenate([x[0], own.mean(axis=0), own.max(axis=0)])),
            says=weights.two("says", np.concatenate([heads, beside, heads * beside], axis=1), last=2)[:, 0],
        )

    def _bias(self, inputs: Inputs) -> Floats:
        kinds = inputs.kinds[:, None] * self._kinds + inputs.kinds[None]
        bias = self._table[:, inputs.relations * self._kinds**2 + kinds]
        cosines = inputs.cosines
        near = (cosines, np.maximum(cosines - NEAR, 0) * 4, np.maximum(cosines - VERY_NEAR, 0) * 8)
        for weight, part in zip(self._weights["cosine"], near, strict=True):
            bias = bias + weight[:, None, None] * part
        return bias

    def _next(self, name: str, x: Floats, bias: Floats) -> Floats:
        weights = self._weights
        query, key, value = np.split(weights.linear(f"{name}.asks", weights.norm(f"{name}.first", x)), 3, axis=1)
        x = x + weights.linear(f"{name}.gives", attended(query, key, value, bias, self._attentions))
        inner = gelu(weights.linear(f"{name}.inner", weights.norm(f"{name}.second", x)))
        return x + weights.linear(f"{name}.outer", inner)
