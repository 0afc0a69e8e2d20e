"""The coverage check once more, of the plan as it ran."""

from collections.abc import Mapping, Sequence
from typing import Any

from analysis.contracts.plans import AnalysisPlan, Coverage, Repair, Tool
from analysis.contracts.requirements import Requirements
from analysis.coverage.checking import coverage_check
from analysis.execution.chain import Fix


def coverage_after(
    requirements: Requirements, plan: AnalysisPlan, fixes: Sequence[Fix], tools: Mapping[str, Tool], tables: int
) -> Coverage:
    """The check with each parameter as the plan had it where a repair only wrote it otherwise.

    Requirements and citations keep the names that the reading gave; a column that is "Región" there and "region" in the
    table is the same one.
    """
    spelt = [fix.repair for fix in fixes if fix.same_meaning]
    steps = [
        step.model_copy(update={"params": _as_planned(step.params, [r for r in spelt if r.step == number])})
        for number, step in enumerate(plan.steps, 1)
    ]
    return coverage_check(requirements, plan.model_copy(update={"steps": tuple(steps)}), tools, tables=tables)


def _as_planned(params: Mapping[str, Any], repairs: Sequence[Repair]) -> dict[str, Any]:
    planned = dict(params)
    for repair in reversed(repairs):
        if planned.get(repair.param) == repair.after:
            planned[repair.param] = repair.before
    return planned
