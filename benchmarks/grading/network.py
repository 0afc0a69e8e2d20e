"""The network that judges answers, as torch fits it; `lesson_engine.grading.meaning.network` runs it in numpy.

python -m pip install torch
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from lesson_engine.grading.meaning.inputs import MARKED, RELATIONS, Inputs, Kind
from lesson_engine.grading.meaning.network import NEAR, RESULTS, VERY_NEAR

SIZE, ATTENTIONS, LAYERS, INNER, VECTOR, PLACES = 128, 4, 3, 256, 768, 64
KINDS = len(Kind) + 1
"""One more for places that only fill a batch."""
DROPPED = 0.2
Batch = dict[str, Tensor]


class _Lookup(torch.autograd.Function):  # type: ignore[misc]
    """Rows of a short table by many places: counting is a much quicker way back than adding up."""

    @staticmethod
    def forward(context: Any, table: Tensor, places: Tensor) -> Tensor:
        context.save_for_backward(places)
        context.rows = table.numel()
        return table[places]

    @staticmethod
    def backward(context: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        (places,), gradient = context.saved_tensors, gradients[0]
        summed = torch.bincount(places.reshape(-1), gradient.reshape(-1).double(), minlength=context.rows)
        return summed[: context.rows].to(gradient.dtype), None


class Layer(nn.Module):  # type: ignore[misc]
    def __init__(self) -> None:
        super().__init__()
        self.asks = nn.Linear(SIZE, 3 * SIZE)
        self.gives = nn.Linear(SIZE, SIZE)
        self.inner = nn.Linear(SIZE, INNER)
        self.outer = nn.Linear(INNER, SIZE)
        self.first = nn.LayerNorm(SIZE)
        self.second = nn.LayerNorm(SIZE)


class Network(nn.Module):  # type: ignore[misc]
    """See `lesson_engine.grading.meaning.network` for what goes in and out."""

    def __init__(self) -> None:
        super().__init__()
        self.word = nn.Linear(VECTOR, SIZE)
        self.whole = nn.Linear(VECTOR, SIZE)
        self.marks = nn.Linear(4 + len(MARKED), SIZE)
        self.word_kind = nn.Embedding(KINDS, SIZE)
        self.head_kind = nn.Embedding(KINDS, SIZE)
        self.place = nn.Embedding(PLACES, SIZE)
        self.relation = nn.Embedding(RELATIONS, ATTENTIONS)
        self.kinds = nn.Embedding(KINDS * KINDS, ATTENTIONS)
        self.cosine = nn.Parameter(0.1 * torch.randn(3, ATTENTIONS))
        self.start = nn.LayerNorm(SIZE)
        self.layers = nn.ModuleList([Layer() for _ in range(LAYERS)])
        self.end = nn.LayerNorm(SIZE)
        self.result = nn.Sequential(
            nn.Linear(3 * SIZE, SIZE), nn.GELU(), nn.Dropout(DROPPED), nn.Linear(SIZE, len(RESULTS))
        )
        self.says = nn.Sequential(nn.Linear(3 * SIZE, SIZE), nn.GELU(), nn.Linear(SIZE, 1))
        self.drop = nn.Dropout(DROPPED)
        nn.init.normal_(self.place.weight, 0, 0.02)
        nn.init.normal_(self.word_kind.weight, 0, 0.1)
        for table in (self.relation, self.kinds):
            nn.init.zeros_(table.weight)

    def forward(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Log odds: (batch, results), and for each place (batch, places) that the answer says what its segment says."""
        head = batch["is_head"][..., None]
        words = self.drop(self.word(batch["vectors"])) + self.word_kind(batch["kinds"]) + self.place(batch["places"])
        x = torch.where(head, self.whole(batch["vectors"]) + self.head_kind(batch["kinds"]), words)
        x = self.start(x + self.marks(batch["marks"]))
        bias = self._bias(batch)
        for layer in self.layers:
            x = self._next(layer, x, bias)
        x = self.end(x)
        own = ((batch["kinds"] == Kind.ANSWER) & batch["filled"] & ~batch["is_head"])[..., None]
        mean = (x * own).sum(1) / own.sum(1).clamp(min=1)
        most = x.masked_fill(~own, -1e4).amax(1)
        answer = x[:, 0]
        beside = answer[:, None].expand_as(x)
        return (
            self.result(torch.cat([answer, mean, most], -1)),
            self.says(torch.cat([x, beside, x * beside], -1))[..., 0],
        )

    def _bias(self, batch: Batch) -> Tensor:
        table = (self.relation.weight[:, None] + self.kinds.weight[None]).reshape(-1, ATTENTIONS).t().contiguous()
        kinds = batch["kinds"][:, :, None] * KINDS + batch["kinds"][:, None, :]
        places = batch["relations"] * KINDS * KINDS + kinds
        bias = torch.stack([_Lookup.apply(row, places) for row in table], 1)
        cosines = batch["cosines"][:, None]
        near = (cosines, functional.relu(cosines - NEAR) * 4, functional.relu(cosines - VERY_NEAR) * 8)
        bias = bias + sum(weight[None, :, None, None] * part for weight, part in zip(self.cosine, near, strict=True))
        return bias.masked_fill(~batch["filled"][:, None, None, :], -1e4)

    def _next(self, layer: Layer, x: Tensor, bias: Tensor) -> Tensor:
        size, places, _ = x.shape
        asked = layer.asks(layer.first(x)).reshape(size, places, 3, ATTENTIONS, -1).permute(2, 0, 3, 1, 4)
        query, key, value = asked
        heed = (query @ key.transpose(-1, -2) / math.sqrt(SIZE / ATTENTIONS) + bias).softmax(-1)
        given = (heed @ value).transpose(1, 2).reshape(size, places, -1)
        x = x + self.drop(layer.gives(given))
        return x + self.drop(layer.outer(functional.gelu(layer.inner(layer.second(x)))))


def batch_of(rows: Sequence[Inputs]) -> Batch:
    """Inputs of different lengths as one batch."""
    most = max(len(row.kinds) for row in rows)

    def filled(name: str, fill: float = 0) -> Tensor:
        first = getattr(rows[0], name)
        square = name in ("relations", "cosines")
        shape = (len(rows), most, most) if square else (len(rows), most, *first.shape[1:])
        batch = np.full(shape, fill, dtype=first.dtype)
        for at, row in enumerate(rows):
            own = getattr(row, name)
            if square:
                batch[at, : len(own), : len(own)] = own
            else:
                batch[at, : len(own)] = own
        return torch.from_numpy(batch)

    lengths = torch.tensor([len(row.kinds) for row in rows])
    names = ("vectors", "is_head", "places", "marks", "relations", "cosines")
    return {
        **{name: filled(name) for name in names},
        "kinds": filled("kinds", KINDS - 1),
        "filled": torch.arange(most)[None] < lengths[:, None],
    }
