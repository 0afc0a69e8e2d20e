"""What earlier episodes teach. Sources: RF-007, scenarios 2 and 14; design.md, "Settled", 7."""

from pydantic import Field

from core.contracts import Contract


class Learnings(Contract):
    """Distilled from memories: `preferences` like "quality > price", `constraints` in normal form ("quality >= 7").

    `episodes` are the ids of the memories that say so; memories that teach nothing are not among them.
    """

    preferences: list[str] = Field(default_factory=list)
    constraints: list[str] = Field(default_factory=list)
    episodes: list[str] = Field(default_factory=list)
