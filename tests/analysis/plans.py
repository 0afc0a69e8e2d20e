"""Plans and requirements in few words, with the tools that come with the product."""

from functools import cache
from typing import Any

from analysis.adaptation.planning import tools_by_name
from analysis.catalog.reading import catalog_shipped
from analysis.contracts.plans import AnalysisPlan, Step, Tool
from analysis.contracts.requirements import Requirements


@cache
def shipped() -> dict[str, Tool]:
    """The tools by name."""
    return tools_by_name(catalog_shipped())


def step(tool: str, *keys: str, **params: Any) -> Step:
    """A step that cites `keys`."""
    return Step(tool=tool, params=params, requirement=keys)


def plan(*steps: Step) -> AnalysisPlan:
    return AnalysisPlan(template="test", steps=steps)


def required(**fields: Any) -> Requirements:
    return Requirements.model_validate(fields)
