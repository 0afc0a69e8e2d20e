"""Examples side by side as tensors, padded to the longest question and the widest table of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from analysis.requirements.network import FADES, NEAR
from benchmarks.analyze.conditions import NO_LESSON
from benchmarks.analyze.examples import Example
from benchmarks.analyze.wanted import ChartWanted, Wanted

Array = npt.NDArray[Any]
_OF_COLUMNS: Final = ("parts", "group", "states")
"""Answers with a place for each column; padded columns are no lesson."""
_JOINED: Final = ("values", "refused", "of_part", "amounts", "periods")
_COLUMNS_OR: Final = ("time", "order_by", "y", "amounts", "periods")
"""Answers that are a column or something after all columns, which moves when columns are padded."""


@dataclass(frozen=True)
class Runs:
    """Runs of words: the question in the batch, the first word and the one after the last."""

    question: Tensor
    start: Tensor
    end: Tensor

    def __len__(self) -> int:
        return len(self.question)


@dataclass(frozen=True)
class Batch:
    """Tensors of B questions, up to n words and m columns. `is_word` and `is_column` are False where they are padded.

    `candidate_groups`: the value group of each candidate, counted through the batch; there are `groups`. `near`: for
    each amount how much each word counts for what it is of.
    """

    words: Tensor
    flags: Tensor
    columns: Tensor
    kinds: Tensor
    relations: Tensor
    is_word: Tensor
    is_column: Tensor
    candidates: Runs
    candidate_columns: Tensor
    candidate_groups: Tensor
    candidate_rows: Tensor
    groups: int
    amounts: Runs
    amount_kinds: Tensor
    near: Tensor
    periods: Runs
    wanted: Mapping[str, Tensor]


def batch_of(examples: Sequence[Example]) -> Batch:
    """A batch of examples that are all wholly marked, or all of charts alone."""
    words, columns = [len(example.words) for example in examples], [len(example.columns) for example in examples]
    candidates, candidate_of = _joined([example.candidates for example in examples])
    amounts, amount_of = _joined([example.amounts for example in examples])
    periods, period_of = _joined([example.periods for example in examples])
    groups = np.cumsum([0, *(_groups(example) for example in examples)])
    start, end, compared, between = amounts.T
    kinds = np.stack([compared, between, start == 0], axis=1).astype(np.float32)
    return Batch(
        **{
            name: _padded([getattr(example, name) for example in examples])
            for name in ("words", "flags", "columns", "kinds", "relations")
        },
        is_word=_present(words), is_column=_present(columns), candidates=_runs(candidate_of, *candidates.T[1:3]),
        candidate_columns=torch.as_tensor(candidates[:, 3]),
        candidate_groups=torch.as_tensor(candidates[:, 0] + groups[candidate_of]), groups=int(groups[-1]),
        candidate_rows=torch.as_tensor(
            np.concatenate([example.candidate_rows for example in examples]).astype(np.float32)
        ),
        amounts=_runs(amount_of, start, end), amount_kinds=torch.as_tensor(kinds),
        near=torch.as_tensor(_near(start, end, np.array(words)[amount_of], max(words))),
        periods=_runs(period_of, *periods.T), wanted=_wanted([example.wanted for example in examples], columns),
    )  # fmt: skip


def _groups(example: Example) -> int:
    return len(example.wanted.values) if isinstance(example.wanted, Wanted) else 0


def _padded(arrays: Sequence[Array]) -> Tensor:
    shape = np.max([array.shape for array in arrays], axis=0)
    padded = [np.pad(array, [(0, space) for space in shape - array.shape]) for array in arrays]
    return torch.as_tensor(np.stack(padded).astype(np.float32))


def _present(lengths: Sequence[int]) -> Tensor:
    return torch.arange(max(lengths))[None] < torch.tensor(lengths)[:, None]


def _joined(arrays: Sequence[Array]) -> tuple[Array, Array]:
    """The rows of all examples, and the example that each is of."""
    return np.concatenate(arrays), np.repeat(np.arange(len(arrays)), [len(array) for array in arrays])


def _runs(question: Array, start: Array, end: Array) -> Runs:
    return Runs(torch.as_tensor(question), torch.as_tensor(start), torch.as_tensor(end))


def _near(start: Array, end: Array, words: Array, longest: int) -> Array:
    places = np.arange(longest)
    distance = np.maximum(np.maximum(start[:, None] - places - 1, places - end[:, None]), 0)
    near: Array = np.where((distance < NEAR) & (places < words[:, None]), FADES**distance, 0)
    return near.astype(np.float32)


def _wanted(wanted: Sequence[Wanted | ChartWanted], columns: Sequence[int]) -> dict[str, Tensor]:
    tensors, widest = {}, max(columns)
    for name in (field.name for field in fields(wanted[0])):
        arrays = [np.array(getattr(answers, name)) for answers in wanted]
        if name in _COLUMNS_OR:
            pairs = zip(arrays, columns, strict=True)
            arrays = [np.where(array >= own, array - own + widest, array) for array, own in pairs]
        if name in _OF_COLUMNS:
            arrays = [np.pad(array, (0, widest - len(array)), constant_values=NO_LESSON) for array in arrays]
        tensors[name] = torch.as_tensor(np.concatenate(arrays) if name in _JOINED else np.stack(arrays))
    return tensors
