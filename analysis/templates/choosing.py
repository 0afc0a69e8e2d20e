"""The templates, and which one the requirements ask for. A new file in this folder is a new template."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from analysis.contracts.plans import AnalysisPlan, Step, Template
from analysis.contracts.requirements import Reading, TimeRequirement

FOLDER: Final = Path(__file__).parent


@cache
def templates_shipped() -> tuple[Template, ...]:
    """The templates of this folder by name. Raises `ValidationError` for a file that is none."""
    return templates_load(FOLDER)


def templates_load(folder: Path) -> tuple[Template, ...]:
    """The templates of a folder, one a file, by name. Raises `ValidationError` for a file that is none."""
    paths = sorted(folder.glob("*.yaml"))
    return tuple(Template.model_validate(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in paths)


def template_choose(reading: Reading, templates: Sequence[Template] = ()) -> Template:
    """The template whose `when` scores highest for what is required, among those that nothing of it excludes; of
    several the one with the fewest features of its own, then the first by name.
    """
    features = features_of(reading)
    possible = [template for template in templates or templates_shipped() if features.isdisjoint(template.never)]
    by_name = sorted(possible, key=lambda template: template.name)
    return max(by_name, key=lambda template: (_score(template, features), -len(template.when)))


def template_plan(template: Template) -> AnalysisPlan:
    """The steps of a template before they are adapted."""
    return AnalysisPlan(template=template.name, steps=tuple(Step(tool=tool) for tool in template.steps))


def features_of(reading: Reading) -> frozenset[str]:
    """What `when` and `never` of templates can name: labels, and which kinds of requirements there are."""
    requirements, details = reading.requirements, reading.details
    present = {
        "group_by": bool(requirements.group_by),
        "time": requirements.time != TimeRequirement(),
        "aggregates": any(figure.func != "none" for figure in details.aggregates),
        "bare": any(figure.func == "none" for figure in details.aggregates) or bool(details.listed),
        "order": details.order is not None,
        "filters": bool(details.filters),
    }
    labels = {f"analysis={label}" for label in requirements.analysis}
    return frozenset(labels | {name for name, is_there in present.items() if is_there})


def _score(template: Template, features: frozenset[str]) -> float:
    return sum(weight for feature, weight in template.when.items() if feature in features)
