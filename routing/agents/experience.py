"""What happened to a user in similar tasks, and what those tasks failed on."""

import uuid
from collections.abc import Iterable
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memory.contracts import Memory
from memory.selectors import episodes_similar
from routing.agents.contracts import Agent, AgentFact, Errand
from routing.agents.record import counted, evaluations_of, unmet

_EPISODES: Final = 5


def gather(errand: Errand) -> list[AgentFact]:
    """One query and the local embedder; two more where memories name evaluations."""
    memories = episodes_similar(errand.user_id, errand.message, None, _EPISODES, now=errand.before)
    memories = [one for one in memories if one.timestamp is None or one.timestamp < errand.before]
    named = _evaluations_named(memories)
    return [
        *(AgentFact(kind=f"ended_{one.outcome}", text=one.content, sources=(f"episode:{one.id}",)) for one in memories),
        *(counted("unmet", unmet(evaluations_of(errand, pk__in=named))) if named else ()),
    ]


def _evaluations_named(memories: Iterable[Memory]) -> list[uuid.UUID]:
    """The evaluations that memories say they come from; metadata may hold anything."""
    found = []
    for one in memories:
        try:
            found.append(uuid.UUID(one.metadata.get("evaluation")))
        except (ValueError, TypeError, AttributeError):
            continue
    return found


AGENT: Final = Agent(
    id="experience_reader",
    title=pgettext_lazy("agent", "experience reader"),
    domains=(),
    about=_("What happened to you in similar tasks, and what they failed on."),
    gather=gather,
)
