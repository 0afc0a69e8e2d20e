"""The network that reads questions as it is fitted, in torch; `analysis.requirements.network` runs it in numpy.

Weights have the same names in both. Relation-aware attention: Wang et al. 2020, "RAT-SQL".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import torch
from torch import Tensor, nn
from torch.nn import functional

from analysis.requirements.network import FAR, HEADS, SCALE
from benchmarks.analyze.batches import Batch, Runs
from benchmarks.analyze.examples import Example

_NEVER: Final = -1e4
"""The logit of what is only padding."""


@dataclass(frozen=True)
class Settings:
    """Sizes, and the shares of inputs and of states that are left out by chance while the network learns."""

    size: int = 128
    heads: int = 8
    layers: int = 3
    dropped: float = 0.15
    inputs_dropped: float = 0.25


class Layer(nn.Module):  # type: ignore[misc]  # it comes without types
    """A layer of attention and a feed-forward layer, each on normed inputs."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        size = settings.size
        self.heads = settings.heads
        self.q, self.k, self.v, self.o = (nn.Linear(size, size) for _ in range(4))
        self.n1, self.n2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.f1, self.f2 = nn.Linear(size, 2 * size), nn.Linear(2 * size, size)
        self.drop = nn.Dropout(settings.dropped)

    def forward(self, state: Tensor, bias: Tensor, is_present: Tensor) -> Tensor:
        batch, places, size = state.shape
        normed, width = self.n1(state), size // self.heads
        query, key, value = (
            part(normed).view(batch, places, self.heads, width).transpose(1, 2) for part in (self.q, self.k, self.v)
        )
        logits = query @ key.transpose(-1, -2) / width**0.5 + bias
        attention = self.drop(logits.masked_fill(~is_present[:, None, None, :], _NEVER).softmax(-1))
        state = state + self.drop(self.o((attention @ value).transpose(1, 2).reshape(batch, places, size)))
        return state + self.drop(self.f2(self.drop(functional.gelu(self.f1(self.n2(state))))))


class Network(nn.Module):  # type: ignore[misc]  # it comes without types
    """The whole network. Its inputs are as wide as those of the example."""

    def __init__(self, example: Example, settings: Settings) -> None:
        super().__init__()
        size, self.settings = settings.size, settings
        half = example.words.shape[1] // 2
        fits, candidate = example.relations.shape[2], example.candidate_rows.shape[1]
        self.proj, self.around, self.vals = (nn.Linear(half, size) for _ in range(3))
        self.flag, self.kind = nn.Linear(example.flags.shape[1], size), nn.Linear(example.kinds.shape[1], size)
        self.pool = nn.Linear(fits, size)
        self.typ, self.cls = nn.Parameter(torch.zeros(3, size)), nn.Parameter(torch.randn(size) * 0.1)
        self.drop_inputs, self.drop = nn.Dropout(settings.inputs_dropped), nn.Dropout(settings.dropped)
        self.rb = nn.Sequential(nn.Linear(fits, 32), nn.GELU(), nn.Linear(32, 2 * settings.heads * settings.layers))
        self.pos = nn.Parameter(torch.zeros(2 * FAR + 1, settings.heads * settings.layers))
        self.layers = nn.ModuleList(Layer(settings) for _ in range(settings.layers))
        self.norm = nn.LayerNorm(size)
        self.colh = _head(2 * size + fits, sum(HEADS["column"].values()), settings)
        self.glob = _head(size, sum(HEADS["question"].values()), settings)
        self.candh = _head(2 * size + fits + candidate, 1, settings)
        self.candneg, self.candpart = (_head(2 * size, 1, settings) for _ in range(2))
        self.aq, self.ak, self.ax = nn.Linear(size, size), nn.Linear(size, size), _head(size + 3, 3, settings)
        self.arel = nn.Sequential(nn.Linear(fits + 1, 16), nn.GELU(), nn.Linear(16, 1))
        self.pq, self.pk, self.px = nn.Linear(size, size), nn.Linear(size, size), nn.Linear(size, 1)

    def forward(self, batch: Batch) -> dict[str, Tensor]:
        """Logits by the names of `Outcome`; those of `values`, `refused` and `of_part` are of candidates."""
        top = batch.relations.masked_fill(~batch.is_word[:, :, None, None], 0).amax(1)
        state, count = self._encoded(batch, top), 1 + batch.words.shape[1]
        whole, read, table = state[:, 0], state[:, 1:count], state[:, count:]
        beside = torch.cat([table, whole[:, None].expand_as(table), top], -1)
        columns, question = _split(self.colh(beside), HEADS["column"]), _split(self.glob(whole), HEADS["question"])
        for name in ("time", "held_left", "held_right", "order_by", "x", "y"):
            columns[name] = columns[name].masked_fill(~batch.is_column, _NEVER)
        for name, other in (("time", "no_time"), ("order_by", "by_figure"), ("y", "y_rows")):
            columns[name] = torch.cat([columns[name], question.pop(other)[:, None]], 1)
        means = _Means(read, batch.relations)
        values = self._values(batch, means, table)
        amounts, periods = self._amounts(batch, means, table), self._periods(batch, means, table)
        return columns | question | values | {"amounts": amounts, "periods": periods}

    def _encoded(self, batch: Batch, top: Tensor) -> Tensor:
        """The state of the question as a whole, of each word and of each column, in this order."""
        half, whole = batch.words.shape[2] // 2, self.cls + self.typ[2]
        words, columns = self.drop_inputs(batch.words) * SCALE, self.drop_inputs(batch.columns) * SCALE
        read = self.proj(words[..., :half]) + self.around(words[..., half:]) + self.flag(batch.flags) + self.typ[0]
        table = self.proj(columns[..., :half]) + self.vals(columns[..., half:]) + self.kind(batch.kinds) + self.typ[1]
        table = table + self.pool(top)
        state = self.drop(torch.cat([whole.expand(len(words), 1, -1), read, table], 1))
        is_whole = torch.ones(len(words), 1, dtype=torch.bool)
        is_present = torch.cat([is_whole, batch.is_word, batch.is_column], 1)
        for layer, bias in zip(self.layers, self._biases(batch), strict=True):
            state = layer(state, bias, is_present)
        return self.norm(state)

    def _biases(self, batch: Batch) -> Tensor:
        """What is added to attention: layers x questions x heads x from x to."""
        questions, words, columns, _ = batch.relations.shape
        layers, heads = self.settings.layers, self.settings.heads
        places, total = torch.arange(words), 1 + words + columns
        bias = torch.zeros(layers, questions, heads, total, total)
        distance = (places[None] - places[:, None]).clamp(-FAR, FAR) + FAR
        of_words = self.pos[distance].view(words, words, layers, heads).permute(2, 3, 0, 1)
        bias[:, :, :, 1 : 1 + words, 1 : 1 + words] = of_words[:, None]
        fits = self.rb(batch.relations).view(questions, words, columns, 2, layers, heads).permute(3, 4, 0, 5, 1, 2)
        bias[:, :, :, 1 : 1 + words, 1 + words :] = fits[0]
        bias[:, :, :, 1 + words :, 1 : 1 + words] = fits[1].transpose(-1, -2)
        return bias

    def _values(self, batch: Batch, means: "_Means", table: Tensor) -> dict[str, Tensor]:
        runs, columns = batch.candidates, batch.candidate_columns
        both = torch.cat([means.words(runs), table[runs.question, columns]], -1)
        fits = means.fits(runs, columns)
        return {
            "values": self.candh(torch.cat([both, fits, batch.candidate_rows], -1)).squeeze(-1),
            "refused": self.candneg(both).squeeze(-1),
            "of_part": self.candpart(both).squeeze(-1),
        }

    def _amounts(self, batch: Batch, means: "_Means", table: Tensor) -> Tensor:
        """For each number the columns, then the three other things that it may be."""
        runs, read = batch.amounts, means.words(batch.amounts)
        columns = (self.aq(read)[:, None] * self.ak(table)[runs.question]).sum(-1) / self.settings.size**0.5
        fits = (batch.near[:, :, None, None] * batch.relations[runs.question]).amax(1)
        compared = batch.amount_kinds[:, None, :1].expand(-1, fits.shape[1], 1)
        columns = columns + self.arel(torch.cat([fits, compared], -1)).squeeze(-1)
        others = self.ax(torch.cat([read, batch.amount_kinds], -1))
        return torch.cat([columns.masked_fill(~batch.is_column[runs.question], _NEVER), others], -1)

    def _periods(self, batch: Batch, means: "_Means", table: Tensor) -> Tensor:
        """For each period the columns, then none of them."""
        runs, read = batch.periods, means.words(batch.periods)
        columns = (self.pq(read)[:, None] * self.pk(table)[runs.question]).sum(-1) / self.settings.size**0.5
        return torch.cat([columns.masked_fill(~batch.is_column[runs.question], _NEVER), self.px(read)], -1)


class _Means:
    """Means over runs of words, of their states and of how they fit a column."""

    def __init__(self, read: Tensor, relations: Tensor) -> None:
        self.read = functional.pad(read.cumsum(1), (0, 0, 1, 0))
        self.relations = functional.pad(relations.cumsum(1), (0, 0, 0, 0, 1, 0))

    def words(self, runs: Runs) -> Tensor:
        total = self.read[runs.question, runs.end] - self.read[runs.question, runs.start]
        return total / (runs.end - runs.start)[:, None]

    def fits(self, runs: Runs, columns: Tensor) -> Tensor:
        end = self.relations[runs.question, runs.end, columns]
        return (end - self.relations[runs.question, runs.start, columns]) / (runs.end - runs.start)[:, None]


def _head(inputs: int, outputs: int, settings: Settings) -> nn.Sequential:
    size = settings.size
    return nn.Sequential(nn.Linear(inputs, size), nn.GELU(), nn.Dropout(settings.dropped), nn.Linear(size, outputs))


def _split(outputs: Tensor, heads: Mapping[str, int]) -> dict[str, Tensor]:
    """The outputs of a large head by their names; those of one place lose it."""
    parts = torch.split(outputs, list(heads.values()), -1)
    return {name: part.squeeze(-1) if heads[name] == 1 else part for name, part in zip(heads, parts, strict=True)}
