"""Phases, with the fields of a query plan that they allow. Source: spec/4, 3.4 to 3.7 and 5."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from django.conf import settings

from core.contracts import Contract
from routing.agents import AGENTS
from routing.contracts import LabPolicy
from routing.contracts.values import AGENTS_AT_MOST


class Bound(Contract):
    """The fields of a plan that its phase binds, as the plan has them."""

    needs_evidence: bool = False
    agents_selected: tuple[str, ...] = ()
    needs_skills: bool = False


@dataclass(frozen=True)
class Phase:
    """A phase: whether evidence and skills may be asked for, and how many agents may be chosen."""

    number: int
    evidence: bool
    agents: int
    skills: bool

    def bound(self, *, evidence: bool, agents: Sequence[str], skills: Collection[str] | bool) -> Bound:
        """The wanted fields within the limits of the phase: of agents the first known ones, each once. `skills` are
        those that want the message, or whether any does.
        """
        chosen = [agent for agent in dict.fromkeys(agents) if agent in AGENTS]
        return Bound(
            needs_evidence=self.evidence and bool(evidence),
            agents_selected=tuple(chosen[: self.agents]),
            needs_skills=self.skills and bool(skills),
        )


# In Phase 5 only packs may change what they map to: the plan is that of Phase 4.
_PHASES: Final = (
    Phase(2, evidence=False, agents=0, skills=False),
    Phase(3, evidence=True, agents=0, skills=False),
    Phase(4, evidence=True, agents=AGENTS_AT_MOST, skills=True),
    Phase(5, evidence=True, agents=AGENTS_AT_MOST, skills=True),
)


def phase_of(number: int) -> Phase:
    """The phase of a number; raises `ValueError`, naming the phases, for another one."""
    for phase in _PHASES:
        if phase.number == number:
            return phase
    numbers = ", ".join(str(phase.number) for phase in _PHASES)
    raise ValueError(f"There is no phase {number!r} of query plans; the phases are {numbers}.")


def phase_now() -> Phase:
    """The phase that the settings name (QUERY_PLAN_PHASE)."""
    return phase_of(settings.QUERY_PLAN_PHASE)


# The documents define Phase 2 and say "Phase 1" in these texts all the same (spec/4, 3.7, 5 and 10), of which they show
# three wordings. Readers compare plans with the documents, so the wording of the default and of the complete example
# stays as it is written; no phase opens the laboratory by itself, so it is the same in all of them.
_DENIED: Final = {
    "en": "Phase 1: No experimental features",
    "es": "Fase 1: sin funciones experimentales",
}
_DENIED_TO_ASKER: Final = {
    "en": "User requested lab, but not authorized in Phase 1",
    "es": "El usuario pidió el laboratorio, pero no está autorizado en la Fase 1",
}


def lab_denied(*, requested: bool, language: str) -> LabPolicy:
    """The policy of every plan without approval. `language` is the asker's; English for others than Spanish."""
    texts = _DENIED_TO_ASKER if requested else _DENIED
    return LabPolicy(allow_lab=False, status="denied", rationale=texts.get(language, texts["en"]))
