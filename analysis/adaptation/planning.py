"""From a reading to a plan that is covered: propose, check, tell what is missing, propose again."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from analysis.adaptation.modifying import modification_apply, modification_fault
from analysis.adaptation.proposing import changes_by_rules, keys_lacking
from analysis.contracts.plans import AnalysisPlan, Coverage, Modification, Template, Tool
from analysis.contracts.requirements import Reading
from analysis.coverage.checking import coverage_check
from analysis.coverage.serving import key_parts
from analysis.templates.choosing import template_plan

ATTEMPTS: Final = 3
"""Proposals in all."""
Proposer = Callable[[Reading, AnalysisPlan, Mapping[str, Tool], str], Sequence[Modification]]
"""Reading, plan, tools that may be used, and what is wrong with the last attempt (empty at first) to modifications."""
Wider = Callable[[Mapping[str, Sequence[str]]], Mapping[str, Tool]]
"""What is missing, by field, to the tools that may be used from then on."""


class Planned(NamedTuple):
    """A plan with its check; `first` and `first_steps` are the check of the first proposal and how many steps it had;
    `refused` are modifications that could not be applied, each with the reason. `unretrieved`: the requirements for
    which the first tools lacked one that the catalog has.
    """

    plan: AnalysisPlan
    coverage: Coverage
    first: Coverage
    first_steps: int
    attempts: int
    refused: tuple[tuple[Modification, str], ...]
    unretrieved: tuple[str, ...] = ()


class _Asking(NamedTuple):
    """What a plan is made for and from."""

    reading: Reading
    template: Template
    tables: int
    catalog: Mapping[str, Tool]
    wider: Wider | None


def plan_make(
    reading: Reading,
    template: Template,
    tools: Mapping[str, Tool],
    *,
    tables: int = 1,
    proposer: Proposer | None = None,
    catalog: Mapping[str, Tool] | None = None,
    wider: Wider | None = None,
) -> Planned:
    """The plan for a reading from a template, with these tools; `wider` gives others once, for what is missing.

    A `proposer` is asked up to three times in all, told each time what the check found. Without one, or where all that
    is in vain, rules make the plan: with the tools, with the wider ones, and at last with the whole `catalog`.
    """
    asking = _Asking(reading, template, tables, catalog or tools, wider)
    if proposer is None:
        return _by_rules(asking, tools)
    made = _by_proposer(asking, tools, proposer)
    if made.coverage.valid:
        return made
    by_rules = _by_rules(asking._replace(wider=None), asking.catalog)
    return made._replace(plan=by_rules.plan, coverage=by_rules.coverage)


def _by_proposer(asking: _Asking, tools: Mapping[str, Tool], proposer: Proposer) -> Planned:
    plan, message, offered = template_plan(asking.template), "", tools
    refused: list[tuple[Modification, str]] = []
    checks: list[tuple[Coverage, int]] = []
    while len(checks) < ATTEMPTS:
        plan = _applied(proposer(asking.reading, plan, offered, message), plan, offered, refused)
        coverage = coverage_check(asking.reading.requirements, plan, offered, tables=asking.tables)
        checks.append((coverage, len(plan.steps)))
        if coverage.valid:
            break
        message = coverage.message
        if coverage.missing and asking.wider and len(checks) == 1:
            offered = asking.wider(coverage.missing)
    unretrieved = keys_lacking(asking.reading, tools, asking.catalog)
    return Planned(plan, checks[-1][0], *checks[0], len(checks), tuple(refused), unretrieved)


def _by_rules(asking: _Asking, tools: Mapping[str, Tool]) -> Planned:
    """Rules are asked again where a requirement is missing, or a tool for something that is better done."""
    start, offered = template_plan(asking.template), tools
    unretrieved = lacking = keys_lacking(asking.reading, tools, asking.catalog)
    checks: list[tuple[Coverage, int]] = []
    while True:
        refused: list[tuple[Modification, str]] = []
        plan = _applied(changes_by_rules(asking.reading, start, offered), start, offered, refused)
        coverage = coverage_check(asking.reading.requirements, plan, offered, tables=asking.tables)
        checks.append((coverage, len(plan.steps)))
        if offered is asking.catalog or (coverage.valid and not lacking):
            return Planned(plan, coverage, *checks[0], len(checks), tuple(refused), unretrieved)
        is_first = len(checks) == 1
        offered = asking.wider(_by_field(coverage, lacking)) if asking.wider and is_first else asking.catalog
        lacking = keys_lacking(asking.reading, offered, asking.catalog)


def _by_field(coverage: Coverage, keys: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What coverage misses and these requirements, each once."""
    missing = dict(coverage.missing)
    for field, value in map(key_parts, keys):
        missing[field] = tuple(dict.fromkeys((*missing.get(field, ()), value)))
    return missing


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
