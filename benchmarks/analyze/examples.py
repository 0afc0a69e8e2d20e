"""What the network learns from: inputs in little memory, with what it should answer."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from analysis.requirements.inputs import Inputs
from analysis.requirements.valuing import FEATURES
from benchmarks.analyze.wanted import ChartWanted, Wanted

Halves = npt.NDArray[np.float16]
Places = npt.NDArray[np.int64]
_NO_ROWS: Final = np.zeros((0, len(FEATURES)), dtype=np.float16)


@dataclass(frozen=True)
class Example:
    """The inputs of a question. Runs of words have the first word and the one after the last.

    `candidates` are the places that may name values, k x 4: value group, run, column. `amounts` are k x 4: run, whether
    it is compared, whether it is a range. `periods` are k x 2: run.
    """

    words: Halves
    flags: Halves
    columns: Halves
    kinds: Halves
    relations: Halves
    candidates: Places
    candidate_rows: Halves
    amounts: Places
    periods: Places
    wanted: Wanted | ChartWanted


def example_of(inputs: Inputs, wanted: Wanted | ChartWanted) -> Example:
    """An example. Of a question with a chart alone, values, numbers, periods and all meanings are left out."""
    is_whole = isinstance(wanted, Wanted)
    inputs = inputs if is_whole else inputs.without_meanings()
    groups, rows = (inputs.groups, inputs.group_rows) if is_whole else ([], [])
    amounts, periods = (inputs.amounts, inputs.periods) if is_whole else ([], [])
    candidates = [(number, *span, group.column) for number, group in enumerate(groups) for span in group.spans]
    return Example(
        words=inputs.words.astype(np.float16), flags=inputs.flags.astype(np.float16),
        columns=inputs.columns.astype(np.float16), kinds=inputs.kinds.astype(np.float16),
        relations=inputs.relations.astype(np.float16), wanted=wanted,
        candidates=_places(candidates, 4), candidate_rows=np.concatenate([_NO_ROWS, *rows]).astype(np.float16),
        amounts=_places([(*run, amount.op != "=", amount.op == "between") for amount, *run in amounts], 4),
        periods=_places([tuple(run) for _, *run in periods], 2),
    )  # fmt: skip


def columns_shuffled(example: Example, dice: random.Random) -> Example:
    """The example of a chart with the columns of its table in another order."""
    order = dice.sample(range(len(example.columns)), len(example.columns))
    chart = example.wanted
    assert isinstance(chart, ChartWanted)
    x, y = (order.index(at) if 0 <= at < len(order) else at for at in (chart.x, chart.y))
    return replace(
        example, columns=example.columns[order], kinds=example.kinds[order], relations=example.relations[:, order],
        wanted=replace(chart, x=x, y=y),
    )  # fmt: skip


def _places(rows: Sequence[tuple[int, ...]], width: int) -> Places:
    return np.array(rows, dtype=np.int64).reshape(-1, width)
