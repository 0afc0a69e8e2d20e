"""Which columns are the axes of a chart and how the second is aggregated, decided together by one fitted ranker."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from analysis.contracts.requirements import FUNCTIONS, ChartShape, ChartType, Function
from analysis.requirements.chances import Chances
from analysis.requirements.charting import AGGREGATES
from analysis.requirements.rows import column_names

Floats = npt.NDArray[np.float32]
CHARTS: Final[tuple[ChartType, ...]] = ("bar", "line", "pie", "scatter")
_COLUMNS_AT_MOST: Final = 6
_OF_ANY: Final = ("count_distinct", "none", "min", "max")
"""Functions that a column of any type may have."""
_OF_COLUMN: Final = (
    "link", "second", "rival", "cosine rank", "size", "place", "from end", "number", "integer", "text", "time",
    "identifier",
    "first of kind", "rank of kind", "is best", "last", "before by", "before order:desc", "before order:asc",
    "before func:count", "after order:desc", "word by", "word each", "word every", "word for", "word of", "word and",
    "word per", "word across", "word the", "word two by", "word two each", "word two of", "next and", "next for",
    "next axis",
)  # fmt: skip
"""The features of a column, of those of `rows.column_names`, that are looked at for x and for y."""


_SHARED: Final = ("count", "bare", "ordered", "single", "over time", "label share", "label total", "label compare")


@dataclass(frozen=True, slots=True)
class Pair:
    """Columns by number: what results are spread over (None where they are not) and what is aggregated (None where rows
    are counted), and the function.
    """

    x: int | None
    y: int | None
    function: Function


def pairs_of(chances: Chances) -> list[Pair]:
    """The pairs that may be meant: of the columns that are named most clearly, or likeliest have a role."""
    links, roles = chances.evidence.links, chances.roles
    top = links.max(axis=0) if len(links) else np.zeros(len(chances.evidence.schema.columns))
    axes = _first(top + np.maximum(roles["group"], roles["axis"]))
    measures = _first(top + np.array(roles["measure"]))
    pairs = [Pair(x, None, "count") for x in (None, *axes)]
    functions = [function for function in FUNCTIONS if function != "count"]
    for x, y, function in product((None, *axes), measures, functions):
        if _is_possible(chances, x, y, function):
            pairs.append(Pair(x, y, function))
    return pairs


def _first(scores: npt.NDArray[np.floating[Any]]) -> list[int]:
    columns: list[int] = np.argsort(-scores, kind="stable")[:_COLUMNS_AT_MOST].tolist()
    return columns


def _is_possible(chances: Chances, x: int | None, y: int, function: Function) -> bool:
    if function == "none" and x is None:
        return False
    is_number = chances.evidence.schema.columns[y].is_number
    return (is_number or function in _OF_ANY) and (x != y or function == "none")


def pair_rows(chances: Chances, pairs: list[Pair]) -> Floats:
    """A row of features for each pair."""
    places = [column_names().index(name) for name in _OF_COLUMN]
    of_column = dict(enumerate(chances.columns[:, places]))
    nothing = np.zeros(len(places) + 4, dtype=np.float32)
    roles = np.array([chances.roles[role] for role in ("measure", "group", "axis")], dtype=np.float32).T
    told = {at: np.concatenate([row, roles[at], [1.0]]).astype(np.float32) for at, row in of_column.items()}
    cues, shared = _function_cues(chances), list(_shared(chances))
    shares: dict[int, dict[Function, float]] = {}
    rows = []
    for pair in pairs:
        x = nothing if pair.x is None else told[pair.x]
        y = nothing if pair.y is None else told[pair.y]
        if pair.y is not None and pair.y not in shares:
            shares[pair.y] = chances.functions(pair.y)
        own = [
            float(pair.x == pair.y), float(x[5] < y[5]), float(x[0] + y[0]), _best_other(roles[:, 1], pair.x),
            _best_other(roles[:, 0], pair.y), shares[pair.y].get(pair.function, 0.0) if pair.y is not None else 0.0,
            *(float(pair.function == function) for function in FUNCTIONS), *cues[pair.function],
        ]  # fmt: skip
        rows.append(np.concatenate([own, x, y, shared]))
    return np.array(rows, dtype=np.float32).reshape(len(pairs), -1)


def _best_other(role: Floats, at: int | None) -> float:
    """How likely another column has the role."""
    return float(role.max(initial=0) if at is None else np.delete(role, at).max(initial=0))


def _function_cues(chances: Chances) -> dict[Function, tuple[float, float]]:
    """The strongest cue of each function: by the model, and as a phrase. Of "none" that of any."""
    cues = chances.evidence.cues
    found: dict[Function, tuple[float, float]] = {}
    for function in FUNCTIONS:
        if function != "none":
            at = cues.column(f"func:{function}")
            found[function] = (float(cues.likely[:, at].max(initial=0)), float(cues.listed[:, at].max(initial=0)))
    found["none"] = (max(likely for likely, _ in found.values()), max(listed for _, listed in found.values()))
    return found


def _shared(chances: Chances) -> Iterator[float]:
    """What all pairs of a question share."""
    links, evidence = chances.evidence.links, chances.evidence
    yield from (chances.decisions[name] for name in _SHARED)
    yield float((links.max(axis=0) > 0.5).sum()) if len(links) else 0.0
    yield float(len(evidence.named))
    yield from _chart_cues(chances)


def _chart_cues(chances: Chances) -> list[float]:
    cues = chances.evidence.cues
    return [
        float(np.maximum(cues.likely, cues.listed)[:, cues.column(f"chart:{chart}")].max(initial=0)) for chart in CHARTS
    ]


def pair_ranked(chances: Chances, *, bare: bool) -> Pair:
    """The likeliest pair; without `bare` of those that aggregate."""
    pairs = [pair for pair in pairs_of(chances) if bare or pair.function != "none"]
    likely = chances.models["pair"].log_odds(pair_rows(chances, pairs))
    return pairs[int(likely.argmax())]


def chart_ranked(chances: Chances) -> ChartShape:
    """The chart of the likeliest pair that has an x. Its type is the one that is named, else the one that suits."""
    pairs = [pair for pair in pairs_of(chances) if pair.x is not None]
    pair = pairs[int(chances.models["pair"].log_odds(pair_rows(chances, pairs)).argmax())]
    columns = chances.evidence.schema.columns
    assert pair.x is not None
    return ChartShape(
        type=chart_type(chances),
        x=columns[pair.x].name,
        y="*" if pair.y is None else columns[pair.y].name,
        aggregate=AGGREGATES.get(pair.function),
        color=_color(chances, pair),
    )


def chart_type(chances: Chances) -> ChartType:
    cues = _chart_cues(chances)
    if max(cues) > 0.5:
        return CHARTS[int(np.argmax(cues))]
    for label, chart in (("correlation", "scatter"), ("share", "pie"), ("trend", "line")):
        if chances.decisions[f"label {label}"] > 0.5:
            return chart  # type: ignore[return-value]
    return "bar"


def _color(chances: Chances, pair: Pair) -> str | None:
    """The likeliest group beside both axes, where one is likely."""
    group = chances.roles["group"]
    others = [at for at in range(len(group)) if at not in (pair.x, pair.y) and group[at] > 0.5]
    best = max(others, key=lambda at: group[at], default=None)
    return None if best is None else chances.evidence.schema.columns[best].name
