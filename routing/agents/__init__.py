"""Agents: they gather context for the Governor and do not change what it decides in. Source: spec/4, 3.4."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from django.utils import timezone

from routing.agents.contracts import Agent, AgentContext, AgentFact, Errand
from routing.agents.questions import COMPLIANCE_AUDITOR, MARKET_ANALYST, PRECEDENT_FINDER
from routing.agents.tasks import EXPERIENCE_READER, LEAD_ENRICHER
from routing.contracts.values import AGENTS_AT_MOST, DOMAIN_KEYS, Mode

__all__ = ("AGENTS", "Agent", "AgentContext", "AgentFact", "agent_gather", "agents_for")

AGENTS: Final[Mapping[str, Agent]] = {
    agent.id: agent
    for agent in (MARKET_ANALYST, COMPLIANCE_AUDITOR, LEAD_ENRICHER, EXPERIENCE_READER, PRECEDENT_FINDER)
}
_AT_MOST: Final[Mapping[Mode, int]] = {"fast": 1, "deep": AGENTS_AT_MOST}


def agents_for(domains: Iterable[str], mode: Mode) -> list[str]:
    """The agents that may help with a plan, the most specific first: covering most of its domains, and few others.

    Those that serve every domain come last. At most one in fast mode, else three.
    """
    wanted = set(domains) & set(DOMAIN_KEYS)
    shared = {agent.id: len(wanted & set(agent.domains)) for agent in AGENTS.values()}
    fitting = [agent for agent in AGENTS.values() if wanted and (shared[agent.id] or not agent.domains)]
    fitting.sort(key=lambda agent: (-shared[agent.id], len(agent.domains)))
    return [agent.id for agent in fitting[: _AT_MOST[mode]]]


def agent_gather(
    agent_id: str, *, user_id: int, domains: Iterable[str], message: str, before: datetime | None = None
) -> AgentContext:
    """Facts of a user's rows that bear on a message of these domains. No model is asked.

    `before` leaves out what is later, such as the plan of this very message. Nothing is found in domains that are not
    the agent's. Raises `ValueError`, naming the known agents, for another one.
    """
    if agent_id not in AGENTS:
        raise ValueError(f"There is no agent {agent_id!r}; the agents are {', '.join(AGENTS)}.")
    agent, wanted = AGENTS[agent_id], set(domains)
    served = tuple(key for key in agent.domains or DOMAIN_KEYS if key in wanted)
    if not served:
        return AgentContext(agent=agent_id)
    errand = Errand(user_id=user_id, domains=served, message=message, before=before or timezone.now())
    return AgentContext(agent=agent_id, facts=tuple(agent.gather(errand)))
