"""Probes: questions with what their plans must and must not hold, executed. docs/packs.md says what they are for."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import pydantic
import yaml
from pydantic import Field

from core.contracts import Contract
from routing.contracts import QueryPlan
from routing.contracts.values import Confidence, DomainHint, DomainKey, Mode
from routing.router import Router
from routing.understanding.phases import phase_of

FOLDER: Final = Path(__file__).parent / "probes"
UNMET: Final = FOLDER / "unmet.json"
_FIRST: Final = "document"
_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class ProbeRefused(ValueError):
    """A file that holds no probes, with the place of the fault."""


class Probe(Contract):
    """A question and its plan. What is None, or an empty list, may be anything.

    `expected` domains are among those of the plan, which may have more of them unless `domains_at_most` says otherwise.
    `forbidden` ones and `forbidden_flags` never are: a plan that has one is broken, not merely poor. So is one with the
    laboratory, which no router may choose.
    """

    id: str = Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    message: str
    language: Literal["en", "es"]
    mode: Mode | None = None
    hint: DomainHint = "auto"
    phase: Literal[2, 3, 4, 5] = 2
    expected: tuple[DomainKey, ...] = ()
    forbidden: tuple[DomainKey, ...] = ()
    flags: tuple[str, ...] = ()
    flags_exactly: tuple[str, ...] | None = None
    forbidden_flags: tuple[str, ...] = ()
    confidence: tuple[Confidence, ...] = ()
    expected_mode: Mode | None = None
    domains_at_most: int | None = Field(default=None, ge=1, le=3)
    needs_evidence: bool | None = None
    needs_skills: bool | None = None
    agents_at_most: int | None = Field(default=None, ge=0, le=3)
    tags: tuple[Literal["document", "negative", "collision"], ...] = ()


class Outcome(NamedTuple):
    """What came of a probe: where its plan falls short, and what it has that is forbidden."""

    probe: Probe
    plan: QueryPlan
    short: tuple[str, ...]
    broken: tuple[str, ...]

    @property
    def passed(self) -> bool:
        """Whether the plan is all that the probe asks."""
        return not self.short and not self.broken


def probes_shipped() -> dict[str, list[Probe]]:
    """The probes of each file, those of the document first. Raises `ProbeRefused`."""
    paths = sorted(FOLDER.glob("*.yaml"), key=lambda path: (path.stem != _FIRST, path.stem))
    found = {path.stem: probes_read(path.read_text(encoding="utf-8"), path.name) for path in paths}
    ids = [probe.id for probes in found.values() for probe in probes]
    if twice := {one for one in ids if ids.count(one) > 1}:
        raise ProbeRefused(f"stand twice: {', '.join(sorted(twice))}")
    return found


def probes_read(text: str, name: str) -> list[Probe]:
    """The probes of a file. Raises `ProbeRefused`."""
    try:
        rows = yaml.load(text, Loader=_Loader)  # one of the two safe loaders
    except yaml.YAMLError as error:
        raise ProbeRefused(f"{name}: {error}") from error
    if not isinstance(rows, list):
        raise ProbeRefused(f"{name}: is no list of probes")
    return [_probe(row, f"{name}, probe {number}") for number, row in enumerate(rows, start=1)]


def probes_executed(probes: Sequence[Probe]) -> list[Outcome]:
    """Each probe with the plan that the shipped pack gives, and no model."""
    routers: dict[int, Router] = {}
    for probe in probes:
        routers.setdefault(probe.phase, Router(phase=phase_of(probe.phase)))
    if probes:
        routers[probes[0].phase].prepare([probe.message for probe in probes])
    return [_outcome(probe, routers[probe.phase].route(probe.message, probe.hint, probe.mode)) for probe in probes]


def unmet_known() -> frozenset[str]:
    """The ids of the probes that are known to fall short; every other one has to pass."""
    return frozenset(json.loads(UNMET.read_text(encoding="utf-8")))


def _probe(row: Any, place: str) -> Probe:
    try:
        return Probe.model_validate(row)
    except pydantic.ValidationError as error:
        faults = ("/".join(map(str, fault["loc"])) + f": {fault['msg']}" for fault in error.errors())
        raise ProbeRefused(f"{place}: {'; '.join(faults)}") from error


def _outcome(probe: Probe, plan: QueryPlan) -> Outcome:
    return Outcome(probe, plan, tuple(_short(probe, plan)), tuple(_broken(probe, plan)))


def _short(probe: Probe, plan: QueryPlan) -> Iterator[str]:
    yield from (f"{domain} is missing" for domain in probe.expected if domain not in plan.domains_selected)
    yield from (f"the flag {flag} is missing" for flag in probe.flags if flag not in plan.flags)
    if probe.flags_exactly is not None and set(plan.flags) != set(probe.flags_exactly):
        yield f"the flags are {list(plan.flags)}"
    if probe.confidence and plan.confidence not in probe.confidence:
        yield f"the confidence is {plan.confidence}"
    if probe.domains_at_most is not None and len(plan.domains_selected) > probe.domains_at_most:
        yield f"there are {len(plan.domains_selected)} domains"
    if probe.agents_at_most is not None and len(plan.agents_selected) > probe.agents_at_most:
        yield f"there are {len(plan.agents_selected)} agents"
    if probe.expected_mode is not None and plan.mode != probe.expected_mode:
        yield f"the mode is {plan.mode}"
    for field in ("needs_evidence", "needs_skills"):
        if probe[field] is not None and plan[field] != probe[field]:
            yield f"{field} is {plan[field]}"


def _broken(probe: Probe, plan: QueryPlan) -> Iterator[str]:
    yield from (f"{domain} is forbidden" for domain in plan.domains_selected if domain in {*probe.forbidden, "lab"})
    yield from (f"the flag {flag} is forbidden" for flag in plan.flags if flag in probe.forbidden_flags)
