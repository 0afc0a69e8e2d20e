"""How long steps take. Only buckets of times are kept, so quartiles are read off them."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import sqrt

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from lesson_engine.player.step_names import step_name
from telemetry.panels import Durations, Figures, Table, TableCell, View, duration

STEPS_DRAWN = 40
LAST_BUCKET = 34
_PLACE = re.compile(r"moments\[(\d+)\]\.steps\[(\d+)\]")


def steps_view(figures: Figures) -> View | None:
    """By type of step, from the slowest on; for one lesson step by step, in the order of the lesson."""
    one_lesson = len(figures.filters.courses) == 1
    buckets: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for label, count in figures.counts("steps" if one_lesson else "step_types").items():
        step, _bar, bucket = label.rpartition("|")
        buckets[step][int(bucket)] += count
    if not buckets:
        return None
    quartiles = {step: quartiles_of(counts) for step, counts in buckets.items()}
    ordered = sorted(quartiles, key=_place) if one_lesson else sorted(quartiles, key=lambda step: -quartiles[step][1])
    names = {step: _name(step) for step in ordered}
    rows: list[Sequence[TableCell]] = [
        [names[step], *(duration(seconds) for seconds in quartiles[step]), sum(buckets[step].values())]
        for step in ordered
    ]
    columns = [
        gettext_lazy("Step"),
        gettext_lazy("A quarter within"),
        gettext_lazy("Half within (median)"),
        gettext_lazy("Three quarters within"),
        gettext_lazy("Times"),
    ]
    slowest = max(ordered, key=lambda step: quartiles[step][1])
    summary = _("The slowest is %(step)s, with a median of %(time)s.")
    text = summary % {"step": names[slowest], "time": duration(quartiles[slowest][1])}
    drawn = ordered[:STEPS_DRAWN]
    return View(text, Table(columns, rows), Durations([names[step] for step in drawn], [quartiles[s] for s in drawn]))


def quartiles_of(buckets: Mapping[int, int]) -> tuple[float, float, float]:
    """First quartile, median and third of what lies in the buckets, in seconds; at least one is counted.

    Inside a bucket, times are taken to lie evenly on the scale that the buckets are even on.
    """
    order = sorted(buckets)
    reached = dict(zip(order, accumulate(buckets[bucket] for bucket in order), strict=True))
    quartiles = []
    for share in (0.25, 0.5, 0.75):
        rank = share * reached[order[-1]]
        bucket = next(bucket for bucket in order if reached[bucket] >= rank)
        inside = 1 - (reached[bucket] - rank) / buckets[bucket]
        # As `register` makes the buckets, 0 is up to one second, each other up to 1.41 times the last.
        quartiles.append(max(inside, 0.1) if bucket == 0 else sqrt(2) ** (bucket - 1 + inside))
    return quartiles[0], quartiles[1], quartiles[2]


def _place(step: str) -> tuple[int, ...]:
    match = _PLACE.match(step)
    return tuple(int(part) for part in match.groups()) if match else ()


def _name(step: str) -> str:
    """Of `ASK` "Question", of `moments[0].steps[2]|ASK` "1.3 Question"; moments and steps count from 1."""
    path, _bar, type_ = step.rpartition("|")
    place = ".".join(str(number + 1) for number in _place(path))
    return f"{place} {step_name(type_)}".strip()
