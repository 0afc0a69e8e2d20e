"""What an analysis gives back."""

from typing import Any

from analysis.contracts.plans import AnalysisPlan, Coverage, Repair
from analysis.contracts.requirements import ChartShape, Reading
from core.contracts import Contract


class ResultTable(Contract):
    """Rows as JSON values: dates as ISO text, NaN and infinity as None. `cut`: more rows were there than are given."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    cut: bool = False


class ResultChart(ChartShape):
    """The chart with its own data, and a remark where categories were grouped to fit."""

    table: ResultTable
    note: str = ""


class Statistic(Contract):
    """A figure of a statistical tool, with its method in words."""

    tool: str
    method: str
    values: dict[str, Any]


class Execution(Contract):
    """A plan that ran: results, the SQL of each, repairs, and milliseconds by part."""

    table: ResultTable
    charts: tuple[ResultChart, ...] = ()
    statistics: tuple[Statistic, ...] = ()
    sql: tuple[str, ...] = ()
    repairs: tuple[Repair, ...] = ()
    plan: AnalysisPlan
    coverage: Coverage
    timings: dict[str, float] = {}


class Analysis(Contract):
    """A question answered: everything from the reading to the result.

    `first_coverage` and `first_steps`: the check of the first proposal, and how many steps it had. `retrieval_missed`:
    for how many requirements the tools that were first retrieved lacked one. Milliseconds by part in `timings`.
    """

    question: str
    reading: Reading
    plan: AnalysisPlan
    coverage: Coverage
    first_coverage: Coverage
    first_steps: int
    attempts: int
    retrieval_missed: int = 0
    execution: Execution
    timings: dict[str, float]
