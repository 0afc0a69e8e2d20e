"""Modifications of a plan: each is checked by itself before it is applied."""

from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext as _

from analysis.contracts.plans import AnalysisPlan, Modification, Step, Tool

STAGES: Final = (
    "join", "filter", "derive", "parse_datetime", "segment", "aggregate", "share", "pivot", "trend", "forecast",
    "anomaly", "summary", "correlation", "rank", "select", "plot", "table",
)  # fmt: skip
"""What comes first, by the capability of a step that comes first here."""
STEPS_AT_MOST: Final = 20


def modification_fault(change: Modification, plan: AnalysisPlan, tools: Mapping[str, Tool]) -> str:
    """Why a modification cannot be applied, in a sentence; empty where it can. `tools` are those that may be used."""
    place = _place(change, plan)
    if change.action == "remove":
        return "" if place is not None else _("There is no step of %(tool)s to remove.") % {"tool": change.tool}
    tool = tools.get(change.tool)
    if tool is None:
        return _("%(tool)s is not among the tools that may be used.") % {"tool": change.tool}
    if change.action == "modify" and place is None:
        return _("There is no step of %(tool)s to change.") % {"tool": change.tool}
    if unknown := set(change.params or {}) - set(tool.params):
        values = {"tool": change.tool, "params": ", ".join(sorted(unknown)), "known": ", ".join(tool.params)}
        return _("%(tool)s does not take %(params)s; it takes: %(known)s.") % values
    if not change.requirement and change.action == "add":
        return _("A step of %(tool)s must name the requirement that it serves.") % {"tool": change.tool}
    if change.action == "add" and len(plan.steps) >= STEPS_AT_MOST:
        return _("A plan has at most %(most)s steps.") % {"most": STEPS_AT_MOST}
    return ""


def modification_apply(change: Modification, plan: AnalysisPlan, tools: Mapping[str, Tool]) -> AnalysisPlan:
    """The plan with one change. The change has no fault."""
    steps, place = list(plan.steps), _place(change, plan)
    if change.action == "remove":
        assert place is not None
        del steps[place]
    elif change.action == "modify":
        assert place is not None
        steps[place] = _changed(steps[place], change)
    else:
        step = Step(
            tool=change.tool, params=change.params or {}, rationale=change.rationale, requirement=change.requirement
        )
        steps.insert(_place_for(change, steps, tools), step)
    return plan.model_copy(update={"steps": tuple(steps)})


def _changed(step: Step, change: Modification) -> Step:
    return step.model_copy(
        update={
            "params": step.params if change.params is None else change.params,
            "rationale": change.rationale or step.rationale,
            "requirement": change.requirement or step.requirement,
        }
    )


def _place(change: Modification, plan: AnalysisPlan) -> int | None:
    """The index of the step that is removed or changed; None where there is none, or several may be meant."""
    places = [place for place, step in enumerate(plan.steps) if step.tool == change.tool]
    if change.step is not None:
        return change.step - 1 if change.step - 1 in places else None
    return places[0] if len(places) == 1 else None


def _place_for(change: Modification, steps: Sequence[Step], tools: Mapping[str, Tool]) -> int:
    if change.step is not None:
        return max(0, min(change.step - 1, len(steps)))
    stage = stage_of(tools[change.tool])
    later = (place for place, step in enumerate(steps) if step.tool in tools and stage_of(tools[step.tool]) > stage)
    return next(later, len(steps))


def stage_of(tool: Tool) -> int:
    """When a tool has its turn; those of no known capability before the plots."""
    stages = [place for place, capability in enumerate(STAGES) if capability in tool.capabilities]
    if "plot" in tool.capabilities:
        return STAGES.index("plot")
    return min(stages, default=STAGES.index("plot") - 1)
