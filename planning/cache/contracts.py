"""Values of the plan cache."""

from uuid import UUID

from pydantic import Field

from core.contracts import Contract


class Conflict(Contract):
    """What of the cached task does not go with what of the new one; empty where one of them has nothing there."""

    kind: str
    cached: str = ""
    new: str = ""


class Addition(Contract):
    """Something that the new task says beside everything that the cached one says.

    `kind` is that of the fact ("duration", "amount"...), `value` its canonical form, `text` its wording with what
    introduces it ("for 2 nights"), `start` and `end` where that is in the new task. `is_introduced`: a preposition or
    the like lets it follow other text as it is.
    """

    kind: str
    value: str
    text: str
    start: int
    end: int
    is_introduced: bool = True


class Loose(Contract):
    """A piece of one task that has no counterpart in the other, as it is worded. `known`: the word lists know what it
    means, so that another known one is something else.
    """

    text: str
    known: bool = False


class Relation(Contract):
    """How a new task stands to a cached one. With a conflict the plan serves it not; additions adjust the plan.

    What is loose on either side may still mean the same: the calibrated similarity has to say. `common`: how many
    pieces both have. `is_told`: both tell something rather than ask for it, as "A man plays the guitar" does.
    """

    conflicts: list[Conflict] = Field(default_factory=list)
    additions: list[Addition] = Field(default_factory=list)
    loose_cached: list[Loose] = Field(default_factory=list)
    loose_new: list[Loose] = Field(default_factory=list)
    common: int = 0
    is_told: bool = False


class Nomination(Contract):
    """A cached plan that may serve a task, in the circumstances that it was made in."""

    entry_id: int
    plan_id: UUID
    circumstances: str
    probability: float = Field(ge=0, le=1)
    additions: list[Addition] = Field(default_factory=list)
