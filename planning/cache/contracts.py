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


class Relation(Contract):
    """How a new task stands to a cached one. With a conflict the plan serves it not; additions adjust the plan.

    `loose_cached` and `loose_new`: how many pieces of each have no counterpart in the other, so that the calibrated
    similarity has to say whether the tasks are the same; `common`: how many pieces both have.
    """

    conflicts: list[Conflict] = Field(default_factory=list)
    additions: list[Addition] = Field(default_factory=list)
    loose_cached: int = 0
    loose_new: int = 0
    common: int = 0


class Nomination(Contract):
    """A cached plan that may serve a task, in the circumstances that it was made in."""

    entry_id: int
    plan_id: UUID
    circumstances: str
    probability: float = Field(ge=0, le=1)
    additions: list[Addition] = Field(default_factory=list)
