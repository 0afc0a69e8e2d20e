"""The network that reads questions: words, columns and how they fit in, the probability of each decision out.

A small transformer over the words of the question and the columns of the table together, in which attention between a
word and a column is biased by how well they fit (relation-aware attention: Wang et al. 2020, "RAT-SQL"). It is fitted
by `benchmarks/analyze/network.py`; here it only runs, in numpy.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
from scipy.special import softmax

from analysis.contracts.requirements import ANALYSES, GRAINS, UNKNOWN, Arithmetic, ChartType
from analysis.requirements.inputs import PLACES_AT_MOST, Inputs
from language.calibration import sigmoids
from language.layers import Floats, Weights, attended, gelu, stored_weights

FILE: Final = Path(__file__).parent / "data" / "network.npz"
LEFT, RIGHT = "left", "right"
PARTS: Final = (
    "no", "sum", "mean", "median", "min", "max", "count", "count_distinct", "std", "none", LEFT, RIGHT,
)  # fmt: skip
"""What a column is in the figures: nothing, what a function is of, or a side of two in one."""
TIMES: Final = ("no", *GRAINS, UNKNOWN)
CHARTS: Final[tuple[str, ...]] = ("no", *get_args(ChartType))
OPERATORS: Final[tuple[str, ...]] = ("no", *get_args(Arithmetic))
STATES: Final = ("no", "null", "not_null", "some")
"""Conditions on a column without a value; "some" is more than none of it: "with children"."""
HOLDS: Final = ("no", ">", "<", ">=", "<=", "=", "!=")
"""How a column is held against another."""
DIRECTIONS: Final = ("no", "asc", "desc")
LIMITS: Final = ("no", "one", "number")
NOTHING, LIMIT, HAVING = 0, 1, 2
"""What a number is that is no condition on a column; these come after the columns in `Outcome.amounts`."""
HEADS: Final[Mapping[str, Mapping[str, int]]] = {
    "column": {
        "parts": len(PARTS), "group": 1, "time": 1, "states": len(STATES), "held_left": 1, "held_right": 1,
        "order_by": 1, "x": 1, "y": 1,
    },
    "question": {
        "counted": 1, "operator": len(OPERATORS), "operator_part": len(PARTS), "no_time": 1, "grain": len(TIMES),
        "labels": len(ANALYSES), "chart": len(CHARTS), "direction": len(DIRECTIONS), "limit": len(LIMITS),
        "has_part": 1, "held": len(HOLDS), "by_figure": 1, "y_rows": 1, "aggregate": len(PARTS),
    },
}  # fmt: skip
"""The outputs of the two large heads in their order, each with its size."""
_NONE: Final = ("no_time", "by_figure", "y_rows")
"""Outputs that are the last place of another."""
SCALE: Final = 4.0
"""Vectors have norm 1; times this their components are as large as the other inputs."""
FAR: Final = 8
"""From this many words on, a distance is far."""
NEAR, FADES = 7, 0.85
"""Words less than `NEAR` from a number count for what it is of, each next one `FADES` times the one before."""


@dataclass(frozen=True)
class Outcome:
    """Probabilities. Of arrays with a place for each column of the table, `time` and rows of `periods` have one more
    for none of them, `order_by` for the figure, `y` for the rows, and rows of `amounts` three more.

    `values`, `refused` and `of_part` are value groups of the inputs by places that may name them.
    """

    parts: Floats
    group: Floats
    time: Floats
    states: Floats
    held_left: Floats
    held_right: Floats
    order_by: Floats
    x: Floats
    y: Floats
    counted: float
    operator: Floats
    operator_part: Floats
    grain: Floats
    labels: Floats
    chart: Floats
    direction: Floats
    limit: Floats
    has_part: float
    held: Floats
    aggregate: Floats
    values: Floats
    refused: Floats
    of_part: Floats
    amounts: Floats
    periods: Floats


@cache
def networks() -> Sequence["Network"]:
    """The fitted networks of the file; what they say is averaged."""
    return [Network(weights) for weights in stored_weights(FILE)]


def outcome_of(inputs: Inputs) -> Outcome:
    outcomes = [network.outcome(inputs) for network in networks()]
    return Outcome(
        **{
            name.name: np.mean([getattr(outcome, name.name) for outcome in outcomes], axis=0)
            for name in fields(Outcome)
        }
    )


class Network:
    """One fitted network."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.size = weights["proj.weight"].shape[0]
        self.layers = sum(name.endswith(".q.weight") for name in weights.arrays)
        self.heads = weights["pos"].shape[1] // self.layers

    def outcome(self, inputs: Inputs) -> Outcome:
        words, columns, count = len(inputs.words), len(inputs.columns), 1 + len(inputs.words)
        top = inputs.relations.max(axis=0) if words else np.zeros(inputs.relations.shape[1:], dtype=np.float32)
        state = self._encoded(inputs, top)
        whole, read, table = state[0], state[1:count], state[count:]
        beside = np.concatenate([table, np.tile(whole, (columns, 1)), top], axis=1)
        said: dict[str, Any] = dict(_split(self.weights.two("colh", beside), HEADS["column"]))
        said |= dict(_split(self.weights.two("glob", whole), HEADS["question"]))
        means = _Means(read, inputs.relations)
        values, refused, of_part = self._values(inputs, means, table)
        alone = {name: float(_chances(said[name])[0]) for name in ("counted", "has_part")}
        several = {name: _chances(said[name]) for name in ("group", "labels")}
        with_none = {
            name: softmax(np.append(said[name], said[none]))
            for name, none in (("time", "no_time"), ("order_by", "by_figure"), ("y", "y_rows"))
        }
        known: dict[str, Any] = alone | several | with_none
        known |= {
            name: softmax(odds, axis=-1) for name, odds in said.items() if name not in known and name not in _NONE
        }
        return Outcome(
            **known, values=values, refused=refused, of_part=of_part, amounts=self._amounts(inputs, means, table),
            periods=self._periods(inputs, means, table),
        )  # fmt: skip

    def _encoded(self, inputs: Inputs, top: Floats) -> Floats:
        """The state of the question as a whole, of each word and of each column, in this order."""
        half, kinds = inputs.words.shape[1] // 2, self.weights["typ"]
        words, columns = inputs.words * SCALE, inputs.columns * SCALE
        read = (
            self.weights.linear("proj", words[:, :half])
            + self.weights.linear("around", words[:, half:])
            + self.weights.linear("flag", inputs.flags)
        )
        table = (
            self.weights.linear("proj", columns[:, :half])
            + self.weights.linear("vals", columns[:, half:])
            + self.weights.linear("kind", inputs.kinds)
        )
        table = table + self.weights.linear("pool", top)
        state = np.concatenate([(self.weights["cls"] + kinds[2])[None], read + kinds[0], table + kinds[1]]).astype(
            np.float32
        )
        biases = self._biases(inputs)
        for layer in range(self.layers):
            state = self._layer(f"layers.{layer}", state, biases[layer])
        return self.weights.norm("norm", state)

    def _biases(self, inputs: Inputs) -> Floats:
        """What is added to attention: layers x heads x from x to."""
        words, columns = inputs.relations.shape[:2]
        total = 1 + words + columns
        bias = np.zeros((self.layers, self.heads, total, total), dtype=np.float32)
        places = np.arange(words)
        distance = np.clip(places[None] - places[:, None], -FAR, FAR) + FAR
        bias[:, :, 1 : 1 + words, 1 : 1 + words] = (
            self.weights["pos"][distance].reshape(words, words, self.layers, self.heads).transpose(2, 3, 0, 1)
        )
        fits = self.weights.two("rb", inputs.relations, last=2)
        fits = fits.reshape(words, columns, 2, self.layers, self.heads).transpose(3, 2, 4, 0, 1)
        bias[:, :, 1 : 1 + words, 1 + words :] = fits[:, 0]
        bias[:, :, 1 + words :, 1 : 1 + words] = fits[:, 1].swapaxes(-1, -2)
        return bias

    def _layer(self, name: str, state: Floats, bias: Floats) -> Floats:
        weights = self.weights
        normed = weights.norm(f"{name}.n1", state)
        query, key, value = (weights.linear(f"{name}.{part}", normed) for part in ("q", "k", "v"))
        state = state + weights.linear(f"{name}.o", attended(query, key, value, bias, self.heads))
        inner = gelu(weights.linear(f"{name}.f1", weights.norm(f"{name}.n2", state)))
        return state + weights.linear(f"{name}.f2", inner)

    def _values(self, inputs: Inputs, means: "_Means", table: Floats) -> tuple[Floats, Floats, Floats]:
        """Of each place of a value group how likely it names the value, refuses it, and makes it a part."""
        found = np.zeros((3, len(inputs.groups), PLACES_AT_MOST), dtype=np.float32)
        for number, (group, rows) in enumerate(zip(inputs.groups, inputs.group_rows, strict=True)):
            read = np.array([means.words(*span) for span in group.spans])
            fits = np.array([means.fits(*span, group.column) for span in group.spans])
            both = np.concatenate([read, np.tile(table[group.column], (len(read), 1))], axis=1)
            named = self.weights.two("candh", np.concatenate([both, fits, rows], axis=1))
            found[0, number, : len(read)] = _chances(named)[:, 0]
            for place, head in enumerate(("candneg", "candpart"), start=1):
                found[place, number, : len(read)] = _chances(self.weights.two(head, both))[:, 0]
        return found[0], found[1], found[2]

    def _amounts(self, inputs: Inputs, means: "_Means", table: Floats) -> Floats:
        """For each number the shares of the columns, then of `NOTHING`, `LIMIT` and `HAVING`."""
        shares = np.zeros((len(inputs.amounts), len(table) + 3), dtype=np.float32)
        places = np.arange(len(inputs.words))
        for number, (amount, start, end) in enumerate(inputs.amounts):
            read = means.words(start, end)
            compared, between = float(amount.op != "="), float(amount.op == "between")
            distance = np.maximum(np.maximum(start - places - 1, places - end), 0)
            near = np.where(distance < NEAR, FADES**distance, 0.0).astype(np.float32)
            fits = (near[:, None, None] * inputs.relations).max(axis=0)
            fits = np.concatenate([fits, np.full((len(table), 1), compared, dtype=np.float32)], axis=1)
            columns = self.weights.linear("ak", table) @ self.weights.linear("aq", read) / np.sqrt(self.size)
            columns = columns + self.weights.two("arel", fits, last=2)[:, 0]
            kind = np.array([compared, between, float(start == 0)], dtype=np.float32)
            others = self.weights.two("ax", np.concatenate([read, kind]))
            shares[number] = softmax(np.concatenate([columns, others]))
        return shares

    def _periods(self, inputs: Inputs, means: "_Means", table: Floats) -> Floats:
        """For each period the shares of the columns, then of none."""
        shares = np.zeros((len(inputs.periods), len(table) + 1), dtype=np.float32)
        for number, (_period, start, end) in enumerate(inputs.periods):
            read = means.words(start, end)
            columns = self.weights.linear("pk", table) @ self.weights.linear("pq", read) / np.sqrt(self.size)
            shares[number] = softmax(np.append(columns, self.weights.linear("px", read)))
        return shares


class _Means:
    """Means over runs of words, of their states and of how they fit columns."""

    def __init__(self, read: Floats, relations: Floats) -> None:
        self.read, self.relations = read, relations

    def words(self, start: int, end: int) -> Floats:
        mean: Floats = self.read[start:end].mean(axis=0)
        return mean

    def fits(self, start: int, end: int, column: int) -> Floats:
        mean: Floats = self.relations[start:end, column].mean(axis=0)
        return mean


def _split(outputs: Floats, heads: Mapping[str, int]) -> list[tuple[str, Floats]]:
    ends = np.cumsum(list(heads.values()))
    parts = np.split(outputs, ends[:-1], axis=-1)
    is_of_columns = outputs.ndim == 2
    return [
        (name, part[:, 0] if is_of_columns and size == 1 else part)
        for (name, size), part in zip(heads.items(), parts, strict=True)
    ]


def _chances(odds: Floats) -> Floats:
    return sigmoids(odds.astype(np.float64)).astype(np.float32)
