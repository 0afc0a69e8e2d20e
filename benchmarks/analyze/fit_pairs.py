"""Fits the ranker of axes and figures."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analysis.requirements.chances import Chances
from analysis.requirements.models import Forest
from analysis.requirements.pairing import Pair, pair_rows, pairs_of
from benchmarks.analyze.corpus import Row
from benchmarks.analyze.fitting import forest_fit

Floats = npt.NDArray[Any]
_WRONG_EACH: Final = 25
_OF_CHARTS: Final = 0.5
"""The weight of a question of nvBench."""


def pairs_fit(rows: Sequence[Row], chances: Sequence[Chances]) -> Forest:
    """The model, from the right pair of each question and some wrong ones."""
    chooser = np.random.default_rng(0)
    features: list[Floats] = []
    wanted: list[float] = []
    weights: list[float] = []
    for row, own in zip(rows, chances, strict=True):
        right = pair_wanted(row)
        pairs = pairs_of(own)
        if right not in pairs:
            continue
        wrong = [pair for pair in pairs if pair != right]
        chosen = chooser.permutation(len(wrong))[:_WRONG_EACH]
        features.append(pair_rows(own, [right, *(wrong[place] for place in chosen)]))
        wanted += [1.0, *(0.0 for _ in chosen)]
        weights += [_OF_CHARTS if "pair" in row.sketch else 1.0] * (len(chosen) + 1)
    return forest_fit(np.vstack(features), np.array(wanted), np.array(weights), trees=200, leaves=16)


def pair_wanted(row: Row) -> Pair | None:
    """The right pair of a question; None where it has none: plain rows, columns put into one, no such column."""
    if "pair" in row.sketch:
        chart = row.sketch["pair"]
        x, y = row.place(chart["x"]), row.place(chart["y"])
        if x is None or (y is None and chart["function"] != "count"):
            return None
        return Pair(x, None if chart["function"] == "count" else y, chart["function"])
    measures = row.sketch.get("measures") or []
    if not measures or "expr" in measures[0] or measures[0]["func"] == "none":
        return None
    name, time = measures[0].get("column"), row.sketch.get("time")
    y = row.place(name) if name else None
    groups = [*(row.sketch.get("group_by") or []), *([time["column"]] if time else [])]
    x = row.place(groups[0]) if groups else None
    if (name and y is None) or (groups and x is None):
        return None
    return Pair(x, y, measures[0]["func"] if name else "count")
