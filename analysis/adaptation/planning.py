"""From a reading to a plan that is covered: propose, check, tell what is missing, propose again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from analysis.adaptation.modifying import modification_apply, modification_fault
from analysis.adaptation.proposing import changes_by_rules
from analysis.contracts.plans import AnalysisPlan, Coverage, Modification, Template, Tool
from analysis.contracts.requirements import Reading
from analysis.coverage.checking import coverage_check
from analysis.templates.choosing import template_plan

ATTEMPTS: Final = 3
Proposer = Callable[[Reading, AnalysisPlan, Mapping[str, Tool], str], Sequence[Modification]]
"""Reading, plan, tools that may be used, and what is wrong with the last attempt (empty at first) to modifications."""


class Planned(NamedTuple):
    """A plan with its check; `first` and `first_steps` are the check of the first proposal and how many steps it had;
    `refused` are modifications that could not be applied, each with the reason.
    """

    plan: AnalysisPlan
    coverage: Coverage
    first: Coverage
    first_steps: int
    attempts: int
    refused: tuple[tuple[Modification, str], ...]


def plan_make(
    reading: Reading,
    template: Template,
    tools: Mapping[str, Tool],
    *,
    tables: int = 1,
    proposer: Proposer | None = None,
) -> Planned:
    """The plan for a reading from a template, with tools of these alone.

    A `proposer` is asked up to three times in all, told each time what the check found; then, or without one, the plan
    made by rules stands, covered or not.
    """
    ask = proposer or _by_rules(template)
    plan, message = template_plan(template), ""
    refused: list[tuple[Modification, str]] = []
    checks: list[tuple[Coverage, int]] = []
    while len(checks) < (ATTEMPTS if proposer else 1):
        changes = ask(reading, plan, tools, message)
        plan = _applied(changes, plan, tools, refused)
        coverage = coverage_check(reading.requirements, plan, tools, tables=tables)
        checks.append((coverage, len(plan.steps)))
        if coverage.valid:
            break
        message = coverage.message
    made = Planned(plan, checks[-1][0], *checks[0], len(checks), tuple(refused))
    if made.coverage.valid or proposer is None:
        return made
    by_rules = plan_make(reading, template, tools, tables=tables)
    return made._replace(plan=by_rules.plan, coverage=by_rules.coverage)


def _by_rules(template: Template) -> Proposer:
    return lambda reading, _plan, tools, _message: changes_by_rules(reading, template_plan(template), tools)


def _applied(
    changes: Sequence[Modification],
    plan: AnalysisPlan,
    tools: Mapping[str, Tool],
    refused: list[tuple[Modification, str]],
) -> AnalysisPlan:
    for change in changes:
        if fault := modification_fault(change, plan, tools):
            refused.append((change, fault))
        else:
            plan = modification_apply(change, plan, tools)
    return plan


def tools_by_name(tools: Sequence[Tool]) -> dict[str, Tool]:
    """Tools by every name that they have."""
    return {name: tool for tool in tools for name in (tool.name, *tool.other_names)}
