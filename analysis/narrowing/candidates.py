"""What narrowing gives: a few tools, and why each is there."""

from typing import Literal

from analysis.contracts.plans import Tool
from core.contracts import Contract

Reason = Literal["retrieved", "template", "safety"]


class Candidate(Contract):
    """A tool that a plan may use. `score` is how much the queries mean it, from 0 to 1; `query` is the source of
    the one that means it most, such as "group_by=region".
    """

    tool: Tool
    score: float
    query: str
    reason: Reason = "retrieved"


class Narrowed(Contract):
    """Candidates, the likeliest first."""

    candidates: tuple[Candidate, ...]

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(candidate.tool for candidate in self.candidates)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(candidate.tool.name for candidate in self.candidates)
