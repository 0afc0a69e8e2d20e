"""How often the networks answer right, each decision by itself and all together, on questions that were held out."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import numpy as np

from analysis.requirements.inputs import Inputs
from analysis.requirements.network import Outcome, outcome_of
from benchmarks.analyze.wanted import ChartWanted, Wanted

_CHOICES: Final = (
    "parts", "states", "time", "grain", "operator", "held", "direction", "limit", "amounts", "periods", "chart",
)  # fmt: skip
_YES_OR_NO: Final = ("group", "counted", "labels")
_LIKELY: Final = 0.5
_BESIDE: Final = ("chart", "labels")
"""Decisions without which the answer has the right rows all the same."""
_OF_CHARTS: Final = ("x", "y", "aggregate", "chart")


def report(title: str, rows: Iterable[tuple[Inputs, Wanted | ChartWanted]]) -> None:
    """Print the share of right decisions of the networks that are stored."""
    marks: dict[str, list[bool]] = defaultdict(list)
    for inputs, wanted in rows:
        outcome = outcome_of(inputs)
        right = _chart_right(outcome, wanted) if isinstance(wanted, ChartWanted) else _right(outcome, wanted)
        for name, is_right in right.items():
            marks[name].append(is_right)
    print(f"{title}: {len(marks['all']):,} questions")
    for name, own in marks.items():
        print(f"  {name:<12}{sum(own) / len(own):.3f}")


def _right(outcome: Outcome, wanted: Wanted) -> dict[str, bool]:
    """What is right by decision, those of numbers and periods only where there are any; `all` is the whole question."""
    right = {name: _is_chosen(outcome, wanted, name) for name in _CHOICES}
    for name in _YES_OR_NO:
        right[name] = np.array_equal(np.greater(getattr(outcome, name), _LIKELY), getattr(wanted, name))
    right["grain"] |= wanted.grain == 0
    right["values"] = np.array_equal(outcome.values.max(axis=1) > _LIKELY, wanted.values)
    right["all"] = not wanted.missed and all(is_right for name, is_right in right.items() if name not in _BESIDE)
    right["figure"] = right["parts"] and right["counted"] and right["operator"]
    return {name: is_right for name, is_right in right.items() if np.size(getattr(wanted, name, 1))}


def _chart_right(outcome: Outcome, wanted: ChartWanted) -> dict[str, bool]:
    right = {name: _is_chosen(outcome, wanted, name) for name in _OF_CHARTS}
    return right | {"all": all(right.values())}


def _is_chosen(outcome: Outcome, wanted: Wanted | ChartWanted, name: str) -> bool:
    return np.array_equal(getattr(outcome, name).argmax(axis=-1), getattr(wanted, name))
