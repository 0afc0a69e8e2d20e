"""The check of a plan against the requirements, before anything runs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from analysis.contracts.plans import AnalysisPlan, Coverage, Step, Tool
from analysis.contracts.requirements import Requirements, TimeRequirement
from analysis.coverage.serving import AGGREGATES, fulfils, key_parts, supports

ORDER_FIELD: Final = "aggregation_before_plot"
INPUT_FIELD: Final = "inputs"
SOURCE: Final = "df"
"""What is there before the first step: the table."""


def coverage_check(
    requirements: Requirements, plan: AnalysisPlan, tools: Mapping[str, Tool], *, tables: int = 1
) -> Coverage:
    """Hold a plan against the requirements; `tools` by name, other names too, `tables` how many there are at first.

    Checked are the four of the document (each requirement has a step that cites and serves it; each step a requirement;
    groups by aggregate or segment; trend and time by time-based plots or features), that aggregate or segment stands
    before every plot of groups or of time, and that each step's inputs are there. A step of an unknown tool serves
    nothing.
    """
    keys = requirements.keys()
    served = {key for key in keys for step in plan.steps if _serves(tools.get(step.tool), step, key)}
    missing: dict[str, tuple[str, ...]] = {}
    for key in keys:
        if key not in served:
            field, value = key_parts(key)
            missing[field] = (*missing.get(field, ()), value)
    for field, faults in (
        (ORDER_FIELD, _plots_too_early(requirements, plan.steps, tools)),
        (INPUT_FIELD, _inputs_missing(plan.steps, tools, tables)),
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


def _plots_too_early(requirements: Requirements, steps: Sequence[Step], tools: Mapping[str, Tool]) -> tuple[str, ...]:
    if not requirements.group_by and requirements.time == TimeRequirement():
        return ()
    early, is_aggregated = [], False
    for step in steps:
        capabilities = tools[step.tool].capabilities if step.tool in tools else ()
        is_aggregated = is_aggregated or not AGGREGATES.isdisjoint(capabilities)
        if "plot" in capabilities and not is_aggregated:
            early.append(step.tool)
    return tuple(early)


def _inputs_missing(steps: Sequence[Step], tools: Mapping[str, Tool], tables: int) -> tuple[str, ...]:
    return tuple(_each_input_missing(steps, tools, tables))


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
