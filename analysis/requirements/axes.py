"""Decides what results are spread over: time and groups."""

from typing import Final, Literal, cast

import numpy as np

from analysis.contracts.requirements import (
    UNKNOWN,
    Grain,
)
from analysis.requirements.case import LIKELY, LISTED, MOST_GROUPS, SECOND, Case
from analysis.requirements.columns import time_column, time_columns
from analysis.requirements.meaning import Reason
from analysis.requirements.spans import Span

_SURELY: Final = 0.85


def time_decide(case: Case, axis: list[float]) -> None:
    times = time_columns(case.evidence)
    grain, strength, span = grain_named(case)
    is_axis = max(case.chances.decisions["over time"], max((axis[at] for at in times), default=0.0)) > LIKELY
    if case.pair:
        is_axis = case.pair.x in times or (is_axis and strength > LIKELY)
    is_axis = is_axis or (grain == UNKNOWN and strength >= 1)  # "over time" says it
    if not times or not is_axis:
        return
    at = time_column(case.evidence, axis)
    assert at is not None
    column = case.columns[at]
    if strength < 0.5:
        grain = UNKNOWN
    if not column.is_time:
        grain = "year"
    case.meaning.time = (column.name, grain)
    phrase = case.text(span) if strength >= 0.5 else case.named_by(at)
    case.meaning.time_reason = Reason(
        phrase, axis[at], tuple(case.columns[other].name for other in times if other != at)
    )


def grain_named(case: Case) -> tuple[Grain | Literal["unknown"], float, Span | None]:
    labels = [label for label in case.evidence.cues.labels if label.startswith("grain:")]
    best = max(labels, key=lambda label: case.cue(label)[0])
    strength, span = case.cue(best)
    return cast(Grain, best.removeprefix("grain:")), strength, span


def groups_decide(case: Case, group: list[float]) -> None:
    axis = case.meaning.time[0] if case.meaning.time else None
    order = sorted(range(len(group)), key=lambda at: -group[at])
    chosen = [
        at
        for at in order
        if group[at] > (LISTED if follows_by(case, at) else LIKELY)
        and case.columns[at].name != axis
        and not is_value_alone(case, at)
    ]
    first = _first_group(case, group, axis)
    if first is not None:
        chosen = [first, *(at for at in chosen if at != first and group[at] > SECOND)]
    elif case.pair:
        chosen = [at for at in chosen if group[at] > _SURELY and at != case.pair.y]
    chosen = chosen[:MOST_GROUPS]
    places = case.evidence.links.argmax(axis=0) if len(case.evidence.links) else []
    for at in sorted(chosen, key=lambda at: places[at]):
        case.meaning.groups[case.columns[at].name] = case.reason_of(at, group)


def _first_group(case: Case, group: list[float], axis: str | None) -> int | None:
    """The group of the likeliest pair; beside a time axis only one that is likely by itself."""
    at = case.pair.x if case.pair else None
    if at is None or case.columns[at].is_time or case.columns[at].name == axis:
        return None
    return at if axis is None or group[at] > SECOND else None


def follows_by(case: Case, at: int) -> bool:
    """Whether words such as "by" or "for each" are right before the words that name a column."""
    links, question, cues = case.evidence.links, case.evidence.question, case.evidence.cues
    if not len(links) or links[:, at].max() < LIKELY or case.columns[at].type == "number":
        return False
    span = question.spans[int(links[:, at].argmax())]
    listed = cues.listed[:, cues.column("by")]
    return any(
        listed[place] and 0 <= span.start - question.spans[int(place)].end <= 1 for place in np.flatnonzero(listed)
    )


def is_value_alone(case: Case, at: int) -> bool:
    """Whether a column is meant by one value of it alone, and by no words of its own."""
    values = [value for value in case.evidence.named if value.column == at]
    if len(values) != 1 or not len(case.evidence.links):
        return False
    apart = [
        place
        for place, span in enumerate(case.evidence.question.spans)
        if span.end <= values[0].start or values[0].end <= span.start
    ]
    return max((float(case.evidence.links[place, at]) for place in apart), default=0.0) < LIKELY
