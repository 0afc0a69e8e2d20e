"""How long an analysis takes beside the same SQL by hand, and how long a question takes to become a plan."""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Final

import duckdb
import ibis
import numpy as np
from ibis.backends.duckdb import Backend

from analysis.contracts.tables import Column, TableSchema
from analysis.errors import RequirementsUnserved
from analysis.files.profiling import table_profile
from analysis.requirements.reading import question_read
from analysis.services import question_answer, question_plan
from benchmarks.analyze.tables import is_same_table

ROWS: Final = 10_000_000
_PAIRS: Final = 7
_QUESTIONS: Final = 50
_QUESTION: Final = "How did the total amount develop by month for each region?"
_MAKE: Final = f"""
CREATE TABLE sales AS
SELECT CAST(DATE '2021-01-01' + CAST(range % 1461 AS INTEGER) AS DATE) AS day,
       ['North', 'South', 'East', 'West', 'Centre'][1 + range * 7919 % 5] AS region,
       round(range * 104729 % 100000 / 100, 2) AS amount,
       range % 9 AS units
FROM range({ROWS})
"""
_BY_HAND: Final = """
SELECT date_trunc('month', day) AS day, region, sum(amount) AS amount
FROM sales GROUP BY 1, 2 ORDER BY 1, 2
"""
_NAMED: Final = (
    Column(name="order_date", type="date", lowest="2021-01-03", highest="2024-12-30"),
    Column(name="region", values=("North", "South", "East", "West"), complete=True, distinct=4),
    Column(name="city", values=("Madrid", "Lyon", "Porto", "Turin"), distinct=140),
    Column(name="product_category", values=("Tools", "Garden", "Paint"), complete=True, distinct=3),
    Column(name="customer_segment", values=("home", "trade"), complete=True, distinct=2),
    Column(name="payment_method", values=("card", "cash", "transfer"), complete=True, distinct=3),
    Column(name="revenue", type="number"),
    Column(name="unit_price", type="number"),
    Column(name="discount", type="number"),
    Column(name="quantity", type="integer"),
    Column(name="delivery_days", type="integer"),
    Column(name="is_returned", type="boolean"),
)
_KINDS: Final = ("gross", "net", "planned", "billed", "insured", "reserved", "average", "lost")
_AMOUNTS: Final = ("cost", "margin", "weight", "volume", "tax", "fee", "score", "hours", "stock", "distance", "energy")
_FORMS: Final = (
    "total {measure} by {group}",
    "average {measure} for each {group} as a bar chart",
    "How did the {measure} change by month in each {group}?",
    "Which {group} has the highest {measure}?",
    "Cinco primeros valores de {group} por {measure} en 2023",
)
_MEASURES: Final = ("revenue", "unit price", "discount", "quantity", "delivery days")
_GROUPS: Final = ("region", "city", "product category", "customer segment", "payment method")


@dataclass(frozen=True)
class Connected:
    """Tables of a connection, as an execution wants them."""

    backend: Backend
    tables: Mapping[str, ibis.Table]


def report() -> None:
    """Print both."""
    _beside_hand()
    for schema in (
        TableSchema(table="orders", columns=_NAMED),
        TableSchema(table="orders", columns=(*_NAMED, *_others())),
    ):
        _planning(schema)


def _beside_hand() -> None:
    with duckdb.connect() as connection:
        connection.execute(_MAKE)
        schemas = {"sales": table_profile(connection, "sales")}
        backend = ibis.duckdb.from_connection(connection)
        source = Connected(backend, {"sales": backend.table("sales")})
        analysis = question_answer(_QUESTION, source=source, schemas=schemas)
        right = connection.execute(_BY_HAND).fetchall()
        assert is_same_table(right, analysis.execution.table.rows, is_ordered=False), analysis.execution.sql
        ours: list[float] = []
        whole: list[float] = []
        by_hand: list[float] = []
        for _ in range(_PAIRS):
            by_hand.append(_milliseconds(lambda: connection.execute(_BY_HAND).to_arrow_table()))
            begun = time.perf_counter()
            answered = question_answer(_QUESTION, source=source, schemas=schemas)
            whole.append(1_000 * (time.perf_counter() - begun))
            ours.append(answered.execution.timings["total"])
    base = float(np.median(by_hand))
    print(f"a grouped trend over {ROWS:,} rows, medians of {_PAIRS} pairs: by hand {base:.0f} ms")
    for name, spent in (("plan run", ours), ("question to answer", whole)):
        median = float(np.median(spent))
        print(f"  {name:<20}{median:>8.0f} ms{median / base:>8.2f} times by hand")


def _others() -> list[Column]:
    """Columns that are in the way: as many as make a hundred."""
    names = [f"{kind}_{amount}" for kind, amount in product(_KINDS, _AMOUNTS)]
    return [Column(name=name, type="number") for name in names[: 100 - len(_NAMED)]]


def _planning(schema: TableSchema) -> None:
    """Warm but for the question itself, of which no word was embedded before in this form."""
    asked = [
        form.format(measure=measure, group=_GROUPS[(at + turn) % len(_GROUPS)])
        for at, measure in enumerate(_MEASURES)
        for turn in range(2)
        for form in _FORMS
    ]
    _plan(_QUESTION, schema)
    spent = [_milliseconds(partial(_plan, question, schema)) for question in asked[:_QUESTIONS]]
    median, late = np.median(spent), np.percentile(spent, 95)
    print(f"a question becomes a plan, {len(schema.columns):>3} columns: median {median:.1f} ms, 95th {late:.1f} ms")


def _plan(question: str, schema: TableSchema) -> None:
    """Read and plan; a plan that no tool serves took as long."""
    with suppress(RequirementsUnserved):
        question_plan(question, question_read(question, schema))


def _milliseconds(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return 1_000 * (time.perf_counter() - begun)
