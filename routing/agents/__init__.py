"""Agents: they gather context for the Governor and do not change what it decides in. Source: spec/4, 3.4."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final

from django.utils import timezone

from routing.agents import compliance, enriching, experience, market, precedents
from routing.agents.contracts import Agent, AgentContext, AgentFact, Errand
from routing.contracts import DOMAIN_KEYS, Mode
from routing.contracts.values import AGENTS_AT_MOST

__all__ = ("AGENTS", "Agent", "AgentContext", "AgentFact", "agent_gather", "agents_for")

AGENTS: Final[Mapping[str, Agent]] = {
    agent.id: agent for agent in (market.AGENT, compliance.AGENT, enriching.AGENT, experience.AGENT, precedents.AGENT)
}
_AT_MOST: Final[Mapping[Mode, int]] = {"fast": 1, "deep": AGENTS_AT_MOST}


def agents_for(domains: Iterable[str], mode: Mode) -> list[str]:
    """Who may help with a plan, the most specific first: who covers most of its domains, and few others.

    Those that serve every domain come last. At most one in fast mode, else three.
    """
    asked = set(domains) & set(DOMAIN_KEYS)
    shared = {agent.id: len(asked & set(agent.domains)) for agent in AGENTS.values()}
    fitting = [agent for agent in AGENTS.values() if asked and (shared[agent.id] or not agent.domains)]
    fitting.sort(key=lambda agent: (-shared[agent.id], len(agent.domains)))
    return [agent.id for agent in fitting[: _AT_MOST[mode]]]


def agent_gather(
    agent_id: str, *, user_id: int, domains: Iterable[str], message: str, before: datetime | None = None
) -> AgentContext:
    """What an agent finds on record of a user that bears on a message of these domains. No model is asked.

    `before` leaves out what is later, such as the plan of this very message. Nothing is found in domains that are not
    the agent's. Raises `ValueError`, naming those that there are, for another agent.
    """
    if agent_id not in AGENTS:
        raise ValueError(f"There is no agent {agent_id!r}; the agents are {', '.join(AGENTS)}.")
    agent, asked = AGENTS[agent_id], set(domains)
    served = tuple(key for key in agent.domains or DOMAIN_KEYS if key in asked)
    if not served:
        return AgentContext(agent=agent_id)
    errand = Errand(user_id=user_id, domains=served, message=message, before=before or timezone.now())
    return AgentContext(agent=agent_id, facts=tuple(agent.gather(errand)))
