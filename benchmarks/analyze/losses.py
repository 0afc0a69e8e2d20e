"""How far what the network answers is from what it should answer."""

from collections.abc import Mapping
from typing import Final

import torch
from torch import Tensor
from torch.nn import functional

from analysis.requirements.network import LEFT, PARTS, RIGHT
from benchmarks.analyze.batches import Batch
from benchmarks.analyze.conditions import NO_LESSON

Logits = Mapping[str, Tensor]
_CHOICES: Final[Mapping[str, float]] = {
    "states": 1, "time": 1, "grain": 1, "operator": 2, "operator_part": 0.3, "held": 1, "held_left": 1,
    "held_right": 1, "chart": 1, "direction": 1, "limit": 1, "order_by": 1, "x": 0.5, "y": 0.5, "aggregate": 0.5,
    "amounts": 1, "periods": 1,
}  # fmt: skip
"""Answers that are one of several, with the weight of each."""
_SIDES: Final = 2.0
"""What the sides of two columns in one count, which are few."""
_CHOICES_OF_CHARTS: Final[Mapping[str, float]] = {"x": 1, "y": 1, "aggregate": 1, "chart": 0.5}
_YES_OR_NO: Final = ("group", "counted", "labels", "has_part")
_TIE: Final = 1e-6


def questions_loss(logits: Logits, batch: Batch) -> Tensor:
    """The loss per question, of all answers."""
    losses = [weight * _choice(logits[name], batch.wanted[name]) for name, weight in _CHOICES.items()]
    losses += [_yes_or_no(logits[name], batch.wanted[name]) for name in _YES_OR_NO]
    weights = torch.tensor([_SIDES if part in (LEFT, RIGHT) else 1.0 for part in PARTS])
    losses.append(_choice(logits["parts"], batch.wanted["parts"], weights))
    return (sum(losses) + _values(logits, batch)) / len(batch.words)


def charts_loss(logits: Logits, batch: Batch) -> Tensor:
    """The loss per question, of the chart alone."""
    losses = [weight * _choice(logits[name], batch.wanted[name]) for name, weight in _CHOICES_OF_CHARTS.items()]
    return sum(losses) / len(batch.words)


def _choice(logits: Tensor, wanted: Tensor, weights: Tensor | None = None) -> Tensor:
    rows = logits.flatten(0, -2)
    return functional.cross_entropy(rows, wanted.flatten(), weights, ignore_index=NO_LESSON, reduction="sum")


def _yes_or_no(logits: Tensor, wanted: Tensor) -> Tensor:
    is_lesson = wanted != NO_LESSON
    return functional.binary_cross_entropy_with_logits(
        logits[is_lesson], wanted[is_lesson].to(logits.dtype), reduction="sum"
    )


def _values(logits: Logits, batch: Batch) -> Tensor:
    """A value is named where its likeliest candidate says so. Whether it is refused, and of the part, is learnt at that
    candidate of a value that is named.
    """
    groups, candidates, named = batch.candidate_groups, logits["values"], batch.wanted["values"]
    best = torch.full((batch.groups,), -torch.inf).scatter_reduce(0, groups, candidates, "amax")
    is_best = candidates.detach() >= best.detach()[groups] - _TIE
    chosen = is_best & (named[groups] == 1)
    return _yes_or_no(best, named) + sum(
        _yes_or_no(logits[name][chosen], batch.wanted[name][groups][chosen]) for name in ("refused", "of_part")
    )
