"""A plan, run: its steps build expressions, and each output is one query at the end."""

import importlib
import inspect
from collections.abc import Callable, Mapping
from functools import partial
from time import monotonic
from typing import Any, Final, TypeVar, cast

import ibis
from django.utils.translation import gettext as _
from django.utils.translation import override
from ibis.common.annotations import ValidationError
from ibis.common.exceptions import IbisError

from analysis.contracts.plans import AnalysisPlan, Repair, Step, Tool
from analysis.contracts.requirements import Reading
from analysis.contracts.results import Execution, ResultChart, Statistic
from analysis.execution import tools as tool_functions
from analysis.execution.chain import Draft, Fix, Frame
from analysis.execution.chart_fitting import ChartDrawer
from analysis.execution.coverage import coverage_after
from analysis.execution.failures import StepFailed, ToolRefused, names_hint
from analysis.execution.limits import Cancel, Limits
from analysis.execution.outputs import Chart, Deferred
from analysis.execution.querying import Queries
from analysis.execution.repairs import repair_content, repair_spelling
from analysis.execution.source import Source
from analysis.execution.validation import columns_check, shapes_check
from analysis.execution.values import result_table

Result = TypeVar("Result")
_LIMITS: Final = Limits()
_MOST_FOR_STATISTICS: Final = 20_000


def plan_execute(
    plan: AnalysisPlan,
    reading: Reading,
    *,
    source: Source,
    table: str,
    tools: Mapping[str, Tool],
    limits: Limits = _LIMITS,
    cancel: Cancel | None = None,
) -> Execution:
    """Run the steps on a table of the source, each on what the one before gave, and fetch the results.

    The plan that is returned has the parameters as they ran. Raises `StepFailed` for a step that cannot run, and
    `ExecutionStopped` when time or memory are used up or `cancel` is called from another thread.
    """
    queries = Queries(source, limits, cancel or Cancel())
    with override(reading.details.language), queries.limited():  # every text is for the person who asked
        run = Run(reading, source=source, table=table, tools=tools, queries=queries)
        for number, step in enumerate(plan.steps, 1):
            run.step(number, step)
        return run.results(plan, limits.rows)


class Run:
    """An execution under way: the tables so far, and what else the steps gave, with the step's number."""

    def __init__(
        self, reading: Reading, *, source: Source, table: str, tools: Mapping[str, Tool], queries: Queries
    ) -> None:
        if table not in source.tables:
            fault = ToolRefused(wanted=_("a table"), got=repr(table), mend=names_hint(table, list(source.tables)))
            raise StepFailed(fault, step=0, tool="df")
        self._reading = reading
        self._tables = source.tables
        self._tools = tools
        self._queries = queries
        self._frames = [Frame(source.tables[table])]
        self._table: tuple[int, ibis.Table] | None = None
        self._charts: list[tuple[int, Chart, Frame]] = []
        self._deferred: list[tuple[int, Deferred]] = []
        self._steps: list[Step] = []
        self._fixes: list[Fix] = []
        self._renamed: dict[str, str] = {}
        self._finest: dict[str, str] = {}
        self._begun = monotonic()

    def step(self, number: int, step: Step) -> None:
        """Repair, validate and build a step. Nothing of it is computed, but for what a repair or the tool asks."""
        entry = self._tools.get(step.tool)
        if entry is None:
            fault = ToolRefused(
                wanted=_("a tool of the catalog"), got=repr(step.tool), mend=names_hint(step.tool, list(self._tools))
            )
            raise StepFailed(fault, step=number, tool=step.tool)
        draft = Draft(
            number, entry, dict(step.params), tuple(self._frames), self._tables, self._queries.ask,
            language=self._reading.details.language, renamed=self._renamed, finest=self._finest,
        )  # fmt: skip
        self._attempt(number, lambda: self._build(draft), tool=entry.name)
        self._fixes += draft.fixes
        self._steps.append(step.model_copy(update={"tool": entry.name, "params": draft.params}))

    def _build(self, draft: Draft) -> None:
        function = function_of(draft.entry)
        wanted = inspect.signature(function).parameters
        draft.usual = {name: param.default for name, param in wanted.items() if param.default is not param.empty}
        repair_spelling(draft)
        shapes_check(draft)
        repair_content(draft)
        columns_check(draft)
        given = {"ask": draft.ask, "tables": draft.tables}
        output = function(draft.df, **draft.params, **{name: given[name] for name in given if name in wanted})
        outputs = output if isinstance(output, tuple) else (output,)
        for kind, value in zip(draft.entry.outputs, outputs, strict=True):
            self._land(kind, value, draft)

    def _land(self, kind: str, value: Any, draft: Draft) -> None:
        match kind:
            case "df":
                self._frames.append(draft.frame_after(value))
            case "table":
                self._table = (draft.number, value)
            case "chart":
                self._charts.append((draft.number, value, draft.frame))
            case "statistic":
                self._deferred.append((draft.number, value))

    def _attempt(self, number: int, act: Callable[[], Result], *, tool: str = "") -> Result:
        """What `act` gives; a refusal gets the step's number and tool."""
        tool = tool or (self._steps[number - 1].tool if number else "df")
        try:
            return act()
        except ToolRefused as fault:
            raise StepFailed(fault, step=number, tool=tool) from fault
        except (IbisError, ValidationError) as error:
            refused = ToolRefused(
                wanted=_("columns that go together"),
                got=str(error).split("\n", 1)[0][:300],
                mend=_("Use columns of the same type."),
            )
            raise StepFailed(refused, step=number, tool=tool) from error
        except OverflowError as error:  # Python's dates end where those of engines go on
            refused = ToolRefused(
                wanted=_("dates of the years 1 to 9999"),
                got=str(error),
                mend=_("Filter out the rows with other dates."),
            )
            raise StepFailed(refused, step=number, tool=tool) from error

    def results(self, plan: AnalysisPlan, rows: int) -> Execution:
        """Run the queries: the table, the charts that are not the same, the statistics."""
        marks = [self._begun, monotonic()]
        number, table = self._shown()
        data = self._attempt(number, lambda: result_table(self._queries.fetch(table, rows), limit=rows))
        marks.append(monotonic())
        drawer = ChartDrawer(self._queries, rows, table, data)
        charts = tuple(self._attempt(drawing[0], partial(self._drawn, drawer, *drawing)) for drawing in self._charts)
        marks.append(monotonic())
        statistics = tuple(self._attempt(at, partial(self._statistic, deferred)) for at, deferred in self._deferred)
        marks.append(monotonic())
        executed = plan.model_copy(update={"steps": tuple(self._steps)})
        return Execution(
            table=data, charts=charts, statistics=statistics, sql=tuple(self._queries.sql),
            repairs=tuple(fix.repair for fix in self._fixes), plan=executed,
            coverage=coverage_after(self._reading.requirements, executed, self._fixes, self._tools, len(self._tables)),
            timings=_timings(marks, self._queries.asked),
        )  # fmt: skip

    def _shown(self) -> tuple[int, ibis.Table]:
        """The result's table: that of a step that gives one, else what the last step left, or what is drawn of it."""
        if self._table:
            return self._table
        number, last = self._frames[-1].step, self._frames[-1].df
        drawn = [
            (at, chart.table) for at, chart, frame in self._charts if frame.step == number and chart.table is not None
        ]
        return drawn[-1] if drawn else (number, last)

    def _drawn(self, drawer: ChartDrawer, number: int, chart: Chart, frame: Frame) -> ResultChart:
        """The chart; where categories did not fit, that is a repair of its step."""
        drawn, cuts = drawer.draw(chart, frame)
        for cut in cuts:
            repair = Repair(
                step=number, tool=self._steps[number - 1].tool, param=cut.axis,
                before=cut.count, after=cut.kept, reason=cut.reason,
            )  # fmt: skip
            self._fixes.append(Fix(repair, same_meaning=False))
        return drawn

    def _statistic(self, deferred: Deferred) -> Statistic:
        return deferred.finish(self._queries.fetch(deferred.rows, _MOST_FOR_STATISTICS))


def _timings(marks: list[float], asked: float) -> dict[str, float]:
    """Milliseconds by part; `asked` is the part of `build` that small queries took."""
    parts = ("build", "table", "charts", "statistics")
    spans = {part: marks[at + 1] - marks[at] for at, part in enumerate(parts)}
    spans |= {"asked": asked, "total": marks[-1] - marks[0]}
    return {part: round(seconds * 1000, 3) for part, seconds in spans.items()}


def function_of(entry: Tool) -> Callable[..., Any]:
    """The function of a catalog entry. Raises `ToolRefused` where the catalog names one that is not there."""
    module, _colon, name = entry.function.partition(":")
    try:
        holder = importlib.import_module(module) if module else tool_functions
    except (ImportError, TypeError):  # the second is for a relative name
        holder = None
    function = getattr(holder, name or entry.name, None)
    if function is None:
        raise ToolRefused(
            wanted=_("a function of the tool"),
            got=entry.function or entry.name,
            mend=_("Name it in the catalog as package.module:name."),
        )
    return cast(Callable[..., Any], function)
