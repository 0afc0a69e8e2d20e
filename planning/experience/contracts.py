"""What earlier episodes teach. Sources: RF-007, scenarios 2 and 14; design.md, "Settled", 7."""

from pydantic import Field

from core.contracts import Contract


class Learnings(Contract):
    """Distilled from memories, the strongest first.

    `preferences` are orders ("quality > price"), fields that come first ("quality"), wishes ("morning flights"), what
    was refused once ("avoid hostels") and conditions that held where something was welcome ("rating >= 8").
    `constraints` have to hold, in normal form ("quality >= 7"). `episodes` are the ids of the memories that say so;
    memories that teach nothing are not among them. `dropped` is what lost against something stronger that contradicts
    it.
    """

    preferences: list[str] = Field(default_factory=list)
    constraints: list[str] = Field(default_factory=list)
    episodes: list[str] = Field(default_factory=list)
    dropped: list[str] = Field(default_factory=list)
