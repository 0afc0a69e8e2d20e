"""The check of a plan against the requirements, before anything runs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from analysis.contracts.plans import AnalysisPlan, Coverage, Step, Tool
from analysis.contracts.requirements import GRAINS, UNKNOWN, Requirements, TimeRequirement
from analysis.coverage.chaining import columns_missing
from analysis.coverage.serving import AGGREGATES, OF_EACH_GROUP, fulfils, key_parts, mentioned, supports

ORDER_FIELD: Final = "aggregation_before_plot"
INPUT_FIELD: Final = "inputs"
SOURCE: Final = "df"
"""What is there before the first step: the table."""


def coverage_check(
    requirements: Requirements, plan: AnalysisPlan, tools: Mapping[str, Tool], *, tables: int = 1
) -> Coverage:
    """Hold a plan against the requirements; `tools` by name, other names too, `tables` how many there are at first.

    Checked are the four of the document (each requirement has a step that cites and serves it; each step a requirement;
    groups by aggregate or segment; trend and time by time-based plots or features), that an aggregate or segment of the
    groups or the time stands before every plot of them, and that each step's inputs and their columns are there. A step
    of an unknown tool serves nothing.
    """
    keys = tuple(dict.fromkeys(requirements.keys()))
    served = {key for key in keys for step in plan.steps if _serves(tools.get(step.tool), step, key)}
    served -= {*_groups_dropped(requirements, plan.steps, tools), *_periods_changed(requirements, plan.steps)}
    missing: dict[str, tuple[str, ...]] = {}
    for key in keys:
        if key not in served:
            field, value = key_parts(key)
            missing[field] = (*missing.get(field, ()), value)
    for field, faults in (
        (ORDER_FIELD, _plots_too_early(requirements, plan.steps, tools)),
        (INPUT_FIELD, _inputs_missing(requirements, plan.steps, tools, tables)),
    ):
        missing |= {field: faults} if faults else {}
    unjustified = tuple(step.tool for step in plan.steps if not _is_justified(tools.get(step.tool), step, keys))
    return Coverage(
        valid=not missing and not unjustified,
        rate=len(served) / len(keys) if keys else 1.0,
        missing=missing,
        unjustified=unjustified,
        message=_message(missing, unjustified),
    )


def _serves(tool: Tool | None, step: Step, key: str) -> bool:
    return tool is not None and key in step.requirement and fulfils(tool, step, key)


def _is_justified(tool: Tool | None, step: Step, keys: Sequence[str]) -> bool:
    return tool is not None and any(key in keys and supports(tool, step, key) for key in step.requirement)


def _groups_dropped(requirements: Requirements, steps: Sequence[Step], tools: Mapping[str, Tool]) -> Iterator[str]:
    """Groups that a step leaves out whose result is of each group only where it names the group."""
    for step in steps:
        if step.tool in tools and not OF_EACH_GROUP.isdisjoint(tools[step.tool].capabilities):
            yield from (f"group_by={name}" for name in requirements.group_by if name not in mentioned(step.params))


def _periods_changed(requirements: Requirements, steps: Sequence[Step]) -> Iterator[str]:
    """The time, where a step cuts its column to other periods than those that are required."""
    time = requirements.time
    if time.grain == UNKNOWN:
        return
    for step in steps:
        grain = step.params.get("grain")
        if grain in GRAINS and grain != time.grain and time.column in (UNKNOWN, step.params.get("column")):
            yield f"time={time.column}"


def _plots_too_early(requirements: Requirements, steps: Sequence[Step], tools: Mapping[str, Tool]) -> tuple[str, ...]:
    """Plots before which no step has made groups or periods of what is required; a total makes none."""
    if not requirements.group_by and requirements.time == TimeRequirement():
        return ()
    axes = {*requirements.group_by, requirements.time.column}
    early, is_aggregated = [], False
    for step in steps:
        capabilities = tools[step.tool].capabilities if step.tool in tools else ()
        is_of_axes = requirements.time.column == UNKNOWN != requirements.time.grain or not axes.isdisjoint(
            mentioned(step.params)
        )
        is_aggregated = is_aggregated or (is_of_axes and not AGGREGATES.isdisjoint(capabilities))
        if "plot" in capabilities and not is_aggregated:
            early.append(step.tool)
    return tuple(early)


def _inputs_missing(
    requirements: Requirements, steps: Sequence[Step], tools: Mapping[str, Tool], tables: int
) -> tuple[str, ...]:
    return (*_each_input_missing(steps, tools, tables), *columns_missing(requirements, steps, tools))


def _each_input_missing(steps: Sequence[Step], tools: Mapping[str, Tool], tables: int) -> Iterator[str]:
    """Each input that no step before gives, as "tool.input". A second table is an input of its own."""
    given = {SOURCE: tables}
    for step in steps:
        tool = tools.get(step.tool)
        if tool is None:
            continue
        for name in dict.fromkeys(tool.inputs):
            if given.get(name, 0) < tool.inputs.count(name):
                yield f"{tool.name}.{name}"
        for name in tool.outputs:
            given[name] = max(given.get(name, 0), 1)


def _message(missing: Mapping[str, Sequence[str]], unjustified: Sequence[str]) -> str:
    lines = []
    if missing:
        lines.append(
            "Missing coverage: " + ", ".join(f"{field}=[{', '.join(names)}]" for field, names in missing.items())
        )
    if unjustified:
        lines.append(f"Remove unjustified steps: {', '.join(unjustified)}")
    return "\n".join(lines)
