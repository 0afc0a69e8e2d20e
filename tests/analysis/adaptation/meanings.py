"""Meanings at random: what a question may ask for, over columns with odd names."""

from collections.abc import Sequence
from random import Random
from typing import Any, Final, TypeVar, get_args

from analysis.contracts.naming import ROWS
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
    made = [figure for figure in meaning.figures if figure.func != "none"]
    if _maybe(random) and meaning.groups and made and not meaning.part:
        meaning.having = [Filter(column=ROWS, op=random.choice((">", "<=")), value=random.choice((0, 2.5)))]
    return meaning


def meaning_settle(meaning: Meaning) -> Meaning:
    """The meaning without what does not fit the rest of it, as the reader of questions leaves it, and without what no
    tool serves: anomalies of several numbers at once, correlations of three, studies of whole rows without a figure,
    and charts without a number or with a third group.
    """
    if not meaning.figures and (meaning.groups or meaning.time):
        meaning.figures = [Figure(None, "count")]
    if meaning.part:
        summed = next((figure for figure in meaning.figures if figure.column in NUMBERS), None)
        meaning.figures = [Figure(summed.column, "sum") if summed else Figure(None, "count")]
    bare = [figure for figure in meaning.figures if figure.func == "none"]
    if "anomaly" in meaning.labels and bare:
        numbers = [figure for figure in bare if figure.is_number]
        meaning.figures = [figure for figure in bare if figure not in numbers[1:]]
    if "correlation" in meaning.labels and len(bare) > 2:
        meaning.figures = meaning.figures[:2]
    if "forecast" in meaning.labels and meaning.time:
        meaning.figures = sorted(meaning.figures, key=lambda figure: not figure.is_number)[:1]
    for label in [label for label in meaning.labels if not _fits(label, meaning)]:
        del meaning.labels[label]
    if not meaning.figures:
        meaning.labels = {"list": Reason()}
        meaning.listed = meaning.listed or [*NUMBERS[:2], *TEXTS[:2]]
    if "forecast" in meaning.labels:
        meaning.having = []
        assert meaning.time
        meaning.time = (meaning.time[0], "month")
    if not is_drawable(meaning):
        meaning.chart = None
        meaning.outputs.pop("chart", None)
    return meaning


def is_drawable(meaning: Meaning) -> bool:
    """Whether a tool can draw it: at most two axes, and a number that is not the first of them."""
    axes = {*meaning.groups, *([meaning.time[0]] if meaning.time else [])}
    shown = {*meaning.listed, *(figure.column for figure in meaning.figures)}
    is_bare = meaning.time is None and all(figure.func == "none" for figure in meaning.figures)
    if is_bare and len(shown) == 1 and not axes and meaning.chart in (None, "histogram"):
        return "share" not in meaning.labels
    if (
        is_bare
        and "distribution" in meaning.labels
        and meaning.groups
        and meaning.chart not in (None, "histogram", "box")
    ):
        return False
    if meaning.chart in ("heatmap", "pie"):
        return not is_bare and len(axes) == (2 if meaning.chart == "heatmap" else 1)
    numbers = sum(figure.is_number for figure in meaning.figures)
    is_after = len(shown) > 1 or bool(axes)
    return len(axes) <= 2 and (numbers > 0) and (is_after or not is_bare)


def _fits(label: AnalysisLabel, meaning: Meaning) -> bool:
    figures, axes = meaning.figures, bool(meaning.groups or meaning.time)
    bare = [figure for figure in figures if figure.func == "none"]
    numbers = [figure for figure in bare if figure.is_number]
    is_counted = len(bare) < len(figures)
    is_drawn = meaning.chart is not None or "chart" in meaning.outputs
    match label:
        case "correlation":
            return len(numbers) > 1
        case "trend":
            return meaning.time is not None
        case "forecast":
            return meaning.time is not None and not meaning.part and "share" not in meaning.labels
        case "total":
            return is_counted
        case "list":
            return not is_counted
        case "compare":
            return axes or (len(figures) > 1 and (is_counted or (bool(numbers) and not is_drawn)))
        case "rank":
            return meaning.direction is not None and any(figure.is_number for figure in figures)
        case "anomaly":
            return any(figure.is_number for figure in figures) and "forecast" not in meaning.labels
        case "share":
            return is_counted or bool(numbers)
        case _:  # a distribution
            is_alone = len(bare) == 1 and not meaning.groups and meaning.chart in (None, "histogram", "box")
            return is_counted or bool(numbers) or is_alone


def meaning_answerable(meaning: Meaning, random: Random) -> Meaning:
    """The meaning with conditions that a table can be held against: numbers by size, texts by their values."""
    if "forecast" in meaning.labels:  # few rows are no series
        meaning.filters, meaning.groups = [], {}
    changed = {id(condition): _answerable(condition, random) for condition in meaning.filters}
    meaning.part = [changed[id(condition)] for condition in meaning.part]
    meaning.filters = list(changed.values())
    return meaning


def _answerable(condition: Filter, random: Random) -> Filter:
    if condition.column in NUMBERS:
        op: Operator = random.choice((">", "<=", "!=", "between", "not_null"))
        value: Any = {"between": [0, 60], "not_null": None}.get(op, random.choice((5, 0.5, {"column": NUMBERS[0]})))
    else:
        op = random.choice(("=", "in", "contains", "not_null"))
        value = {"in": ["b", "c"], "not_null": None}.get(op, "b")
    return Filter(column=condition.column, op=op, value=value)


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
        beside = [Figure(name, random.choice(_MADE_OF_NUMBERS)) for name in _some(random, numbers, 1)]
        return [Figure(None, random.choice(_MADE_OF_NUMBERS), expression), *beside]
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
