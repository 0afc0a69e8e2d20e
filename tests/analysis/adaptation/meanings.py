"""Meanings at random: what a question may ask for, over columns with odd names."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, TypeVar, get_args

from analysis.contracts.requirements import (
    ANALYSES,
    FUNCTIONS,
    GRAINS,
    UNKNOWN,
    AnalysisLabel,
    Arithmetic,
    ChartType,
    Expression,
    Filter,
    Operator,
)
from analysis.requirements.meaning import Figure, Meaning, Reason

NUMBERS: Final = (
    "price",
    "a=b",
    "units, sold",
    'the "net"',
    "it's",
    "limit",
    "metrics=price",
    "µ [kg]",
    "count",
    "share",
    "*x*",
    "%s %(x)s",
    "Año",
    " padded ",
    "unknown amount",
    "{0}",
    "x" * 300,
)
TEXTS: Final = (
    "city",
    "group_by=city",
    "ciudad, país",
    'a "b" c',
    "order = city asc",
    "chart = bar",
    "limit = 5",
    "name\nof two lines",
    "df",
    "🏠",
    "'; DROP TABLE x; --",
    "Sum",
    "= x",
)
TIMES: Final = ("date", "time=date", "día/mes", "sold, at", "année")
_MADE_OF_NUMBERS: Final = tuple(name for name in FUNCTIONS if name != "none")
_ODDS: Final = 0.35
Choice = TypeVar("Choice")


def meaning_at_random(random: Random) -> Meaning:
    """A meaning with anything beside anything; see `meaning_settle` for what goes together."""
    numbers = random.sample(NUMBERS, random.randint(1, 4))
    texts = random.sample(TEXTS, random.randint(1, 4))
    meaning = Meaning(
        figures=_figures(random, numbers, texts),
        groups=dict.fromkeys(_some(random, texts, 3), Reason()),
        time=(random.choice(TIMES), random.choice((*GRAINS, UNKNOWN))) if _maybe(random) else None,
        filters=_filters(random, numbers, texts, 3),
        labels=dict.fromkeys(_labels(random), Reason()),
        direction=random.choice((None, "asc", "desc")),
        limit=random.randint(1, 1_000) if _maybe(random) else None,
        listed=_some(random, [*numbers, *texts], 4) if _maybe(random) else [],
        chart=random.choice(get_args(ChartType)) if _maybe(random) else None,
        outputs=dict.fromkeys(_some(random, ("chart", "table"), 2), Reason()),
        language=random.choice(("en", "es")),
    )
    if _maybe(random) and meaning.filters and "share" in meaning.labels:
        meaning.part = [random.choice(meaning.filters)]
    if _maybe(random) and meaning.groups and any(figure.func != "none" for figure in meaning.figures):
        meaning.having = _filters(random, numbers, (), 1)
    return meaning


def meaning_settle(meaning: Meaning) -> Meaning:
    """The meaning without what does not fit the rest of it, as the reader of questions leaves it, and without what no
    tool serves: anomalies of several numbers at once, correlations of three, studies of whole rows without a figure.
    """
    if not meaning.figures and (meaning.groups or meaning.time):
        meaning.figures = [Figure(None, "count")]
    if meaning.part:
        summed = next((figure for figure in meaning.figures if figure.column and figure.is_number), None)
        meaning.figures = [Figure(summed.column, "sum") if summed else Figure(None, "count")]
    bare = [figure for figure in meaning.figures if figure.func == "none"]
    if "anomaly" in meaning.labels and bare:
        numbers = [figure for figure in bare if figure.is_number]
        meaning.figures = [figure for figure in bare if figure not in numbers[1:]]
    if "correlation" in meaning.labels and len(bare) > 2:
        meaning.figures = meaning.figures[:2]
    for label in [label for label in meaning.labels if not _fits(label, meaning)]:
        del meaning.labels[label]
    if not meaning.figures:
        meaning.labels = {"list": Reason()}
        meaning.listed = meaning.listed or [*NUMBERS[:2], *TEXTS[:2]]
    return meaning


def _fits(label: AnalysisLabel, meaning: Meaning) -> bool:
    figures, axes = meaning.figures, bool(meaning.groups or meaning.time)
    bare = [figure for figure in figures if figure.func == "none"]
    numbers = [figure for figure in bare if figure.is_number]
    is_counted = len(bare) < len(figures)
    is_drawn = meaning.chart is not None or "chart" in meaning.outputs
    match label:
        case "correlation":
            return len(bare) > 1
        case "forecast" | "trend":
            return meaning.time is not None
        case "total":
            return is_counted
        case "list":
            return not is_counted
        case "compare":
            return axes or (len(figures) > 1 and (is_counted or (bool(numbers) and not is_drawn)))
        case "rank":
            return meaning.direction is not None and any(figure.is_number for figure in figures)
        case "anomaly":
            return any(figure.is_number for figure in figures)
        case "share":
            return is_counted or bool(numbers)
        case _:
            return bool(figures)


def _maybe(random: Random) -> bool:
    return random.random() < _ODDS


def _some(random: Random, things: Sequence[Choice], most: int) -> list[Choice]:
    return random.sample(things, random.randint(0, min(most, len(things))))


def _labels(random: Random) -> list[AnalysisLabel]:
    return _some(random, ANALYSES, 3) if _maybe(random) else _some(random, ANALYSES, 1)


def _figures(random: Random, numbers: Sequence[str], texts: Sequence[str]) -> list[Figure]:
    kind = random.random()
    if kind < 0.1:
        return []
    if kind < 0.25:
        return [Figure(None, "count")]
    if kind < 0.4 and len(numbers) > 1:
        left, right = random.sample(numbers, 2)
        expression = Expression(operator=random.choice(get_args(Arithmetic)), left=left, right=right)
        return [Figure(None, random.choice(_MADE_OF_NUMBERS), expression)]
    if kind < 0.6:
        return [Figure(name, "none", is_number=name in numbers) for name in _some(random, [*numbers, *texts], 3)]
    made = [Figure(name, random.choice(_MADE_OF_NUMBERS)) for name in _some(random, numbers, 3)]
    return made + [Figure(name, "count_distinct") for name in _some(random, texts, 1)]


def _filters(random: Random, numbers: Sequence[str], texts: Sequence[str], most: int) -> list[Filter]:
    return [_filter(random, numbers, texts) for _ in range(random.randint(0, most))]


def _filter(random: Random, numbers: Sequence[str], texts: Sequence[str]) -> Filter:
    op = random.choice(get_args(Operator))
    column = random.choice([*numbers, *texts])
    scalars: list[Any] = [7, -2.5, 1e300, True, "Madrid", "a and b", "x, y", "= 5", "", "limit = 3", "2024-01-31"]
    value: Any = random.choice(scalars)
    if op in ("in", "not_in"):
        value = random.sample(scalars, random.randint(1, 3))
    elif op == "between":
        value = [1, 9.5] if _maybe(random) else ["2024-01-01", "2024-12-31"]
    elif op in ("null", "not_null"):
        value = None
    elif _maybe(random):
        value = {"column": random.choice(numbers)}
    grain = random.choice(GRAINS) if random.random() < 0.1 else None
    return Filter(column=column, op=op, value=value, grain=grain)
