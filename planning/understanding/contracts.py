"""The contents of a task. Words in lists are in the canonical forms of the data files, so that two tasks
can be compared; they are not for people to read.
"""

from pydantic import Field

from core.contracts import Contract


class TaskFacts(Contract):
    """The parts of a task that make it that task and no other.

    `verbs` and `objects` are canonical ("book", "hotel"), the same in both languages; `places` and `names` are lower
    case without accents; `dates` ISO ("2026-12-15"), "12-15" without a year, or a word ("friday", "tomorrow");
    `durations` like "2 night"; `amounts` like "<= 200 USD"; `quantities` like "2 adult"; `negations` what is not
    wanted ("breakfast" of "without breakfast"); `qualities` adjectives and the like ("cheap", "romantic").
    """

    verbs: list[str] = Field(default_factory=list)
    objects: list[str] = Field(default_factory=list)
    places: list[str] = Field(default_factory=list)
    names: list[str] = Field(default_factory=list)
    dates: list[str] = Field(default_factory=list)
    durations: list[str] = Field(default_factory=list)
    amounts: list[str] = Field(default_factory=list)
    quantities: list[str] = Field(default_factory=list)
    negations: list[str] = Field(default_factory=list)
    qualities: list[str] = Field(default_factory=list)


class TaskReading(Contract):
    """A task as it was understood.

    `task_type` is one of the data files' types, "general" where none fits. `phrases` are the facts as the task words
    them, for use in sentences: "place" ("Paris"), "date" ("on Dec 15"), "duration" ("2 nights"), "amount" ("under
    $200"), "object" ("hotel"), "objects" (its plural), "topic" (the task without its verb); keys that the task does not
    fill are absent.
    """

    task: str
    language: str
    task_type: str
    facts: TaskFacts
    phrases: dict[str, str] = Field(default_factory=dict)
