"""Agents, and the facts that they gather."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from pydantic import Field

from core.contracts import Contract
from routing.contracts.values import DomainKey


class AgentFact(Contract):
    """A fact of stored rows: its kind, its text as stored, and how often it occurs.

    `sources` name rows, such as "query_plan:<id>". A memory's or a preference's text is the user's own words, which
    nothing that cannot be erased may hold.
    """

    kind: str = Field(pattern=r"^[a-z][a-z_]*$")
    text: str = ""
    count: int = Field(default=1, ge=0)
    sources: tuple[str, ...] = ()


class AgentContext(Contract):
    """The facts of an agent, the weightiest first."""

    agent: str
    facts: tuple[AgentFact, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The rows that the facts come from, each once."""
        return tuple(dict.fromkeys(source for fact in self.facts for source in fact.sources))


@dataclass(frozen=True)
class Errand:
    """The request to an agent. `domains` are those of the plan that are the agent's; `before`: nothing later."""

    user_id: int
    domains: tuple[DomainKey, ...]
    message: str
    before: datetime


@dataclass(frozen=True)
class Agent:
    """Gathers facts about one user for the Governor, at no cost. `domains` empty: it serves all of them."""

    id: str
    title: Promise
    domains: tuple[DomainKey, ...]
    about: Promise
    gather: Callable[[Errand], list[AgentFact]]
