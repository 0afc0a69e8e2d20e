"""Modifications by rules: the template's steps get their parameters, what is not required goes, what is missing comes.

Tools are chosen by their capabilities and the names of their parameters.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from analysis.adaptation.asked import Need
from analysis.adaptation.needs import needs_of
from analysis.contracts.plans import AnalysisPlan, Modification, Tool
from analysis.contracts.requirements import Reading
from analysis.coverage.serving import key_parts

_OURS: Final = 2
"""How many capabilities more a tool of the template may have than another that does the same."""


def changes_by_rules(reading: Reading, template: AnalysisPlan, tools: Mapping[str, Tool]) -> list[Modification]:
    """What turns the steps of a template into the plan for a reading. `tools` in the order of their nearness.

    First the steps that serve nothing are removed, the last first, then those that stay are modified in place, then
    others are added, each at a stated place: applied in this order the steps are in the order of the needs.
    """
    chosen = [(need, tool) for need in needs_of(reading) if (tool := _tool_for(need, template, tools))]
    left = [tool.name for _need, tool in chosen]
    removed: list[Modification] = []
    kept: list[str] = []
    for place, step in enumerate(template.steps, 1):
        if step.tool in left and step.tool not in kept:
            kept.append(step.tool)
        else:
            removed.append(Modification(action="remove", tool=step.tool, step=place))
    return [*reversed(removed), *_placed(chosen, kept, reading)]


def keys_lacking(reading: Reading, tools: Mapping[str, Tool], catalog: Mapping[str, Tool]) -> tuple[str, ...]:
    """The requirements for which something has to be done that none of `tools` can do and one of the catalog can."""
    return tuple(
        dict.fromkeys(
            key
            for need in needs_of(reading)
            if not _is_possible(need, tools) and _is_possible(need, catalog)
            for key in need.keys
        )
    )


def _is_possible(need: Need, tools: Mapping[str, Tool]) -> bool:
    return any(_suits(need, tool) for tool in tools.values())


def _placed(chosen: Sequence[tuple[Need, Tool]], kept: Sequence[str], reading: Reading) -> list[Modification]:
    """Each need as a change: of a kept step where the order of both agrees, else by removing and adding."""
    changes: list[Modification] = []
    waiting = list(kept)
    for place, (need, tool) in enumerate(chosen, 1):
        is_kept = bool(waiting) and waiting[0] == tool.name
        if not is_kept and tool.name in waiting:
            changes.append(Modification(action="remove", tool=tool.name, step=place + waiting.index(tool.name)))
            waiting.remove(tool.name)
        if is_kept:
            waiting.pop(0)
        changes.append(
            Modification(
                action="modify" if is_kept else "add",
                tool=tool.name,
                step=place,
                params=params_for(need, tool),
                rationale=rationale_of(need.keys, reading),
                requirement=need.keys,
            )
        )
    return changes


def params_for(need: Need, tool: Tool) -> dict[str, Any]:
    """The values of a need that the tool has parameters for; those that are empty are left out."""
    return {name: need.params[name] for name in tool.params if need.params.get(name) not in (None, [], "")}


def rationale_of(keys: Sequence[str], reading: Reading) -> str:
    """Why a step is there, with the words of the question that ask for it."""
    phrases = {item.requirement: item.phrase for item in reading.details.justifications if item.phrase}
    said = list(dict.fromkeys(phrases[key] for key in keys if key in phrases))
    if said:
        return _("The question says: %(phrases)s") % {"phrases": ", ".join(f"“{phrase}”" for phrase in said)}
    return _("For %(requirements)s") % {"requirements": ", ".join(key_parts(key)[1] for key in keys)}


def _tool_for(need: Need, template: AnalysisPlan, tools: Mapping[str, Tool]) -> Tool | None:
    """The tool that does it and can take most of its values; the one that does least else, then the template's."""
    ours = {step.tool for step in template.steps}
    return min(
        (tool for tool in _distinct(tools) if _suits(need, tool)),
        key=lambda tool: (
            -len(params_for(need, tool)),
            len(tool.capabilities) - (_OURS if tool.name in ours else 0),
        ),
        default=None,
    )


def _suits(need: Need, tool: Tool) -> bool:
    """Whether the tool can do it, and the need has a fitting value for each parameter that must have one."""
    if need.chart is not None and tool.chart != need.chart:
        return False
    is_able = set(need.capabilities) <= set(tool.capabilities) and set(need.whole) <= set(tool.params)
    return is_able and _is_filled(need, tool) and not _misfits(need, tool)


def _is_filled(need: Need, tool: Tool) -> bool:
    given = params_for(need, tool)
    return all(name in given or _is_optional(tool.types.get(name, "?")) for name in tool.params)


def _misfits(need: Need, tool: Tool) -> bool:
    """Whether a parameter that takes a column of numbers would be given another one."""
    if need.numbers is None:
        return False
    narrowed = [name for name in params_for(need, tool) if str(tool.types.get(name, "")).startswith("number ")]
    return any(need.params[name] not in need.numbers for name in narrowed)


def _is_optional(kind: Any) -> bool:
    return "?" in kind if isinstance(kind, list) else str(kind).endswith("?")


def _distinct(tools: Mapping[str, Tool]) -> list[Tool]:
    """Each tool once: `tools` has it under its other names too."""
    return list({tool.name: tool for tool in tools.values()}.values())
