"""Lesson JSON v1, the file that is the source of truth of a lesson. Source: design.md, "Lesson JSON v1"."""

from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from core.contracts import Contract

from .asks import Ask
from .fields import Code, Language, Line, Markdown, Slug
from .turns import Operation

ALL_OPERATIONS: tuple[Operation, ...] = ("reask", "hint", "goto", "repeat", "insert_micro")


class Skill(Contract):
    """Something a learner can do afterwards; ASKs name the skills they exercise."""

    code: Code
    title: Line


class Meta(Contract):
    """What a lesson is called and what it is for."""

    slug: Slug
    title: Line
    language: Language
    summary: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=1000)]
    objectives: tuple[Line, ...] = Field(min_length=1, max_length=20)
    skills: tuple[Skill, ...] = Field(default=(), max_length=50)


class Policy(Contract):
    """The author's bounds on the tutor. What a planner may do is never more than this."""

    operations: tuple[Operation, ...] = Field(
        default=ALL_OPERATIONS, max_length=5, description="What the planner may do."
    )
    attempts: int = Field(default=3, ge=1, le=10, description="Wrong answers after which the answer is shown.")
    skip_after: int = Field(default=2, ge=1, le=10, description="Used attempts after which the learner may skip.")
    micro_steps_per_cycle: int = Field(default=1, ge=0, le=10)
    budget_cents: int | None = Field(
        default=None, ge=0, le=100_000, description="A session's money; absent: the server's."
    )
    escalations: int | None = Field(
        default=None, ge=0, le=100, description="Escalations a session; absent: the server's."
    )
    escalation_threshold_cents: int | None = Field(
        default=None, ge=0, le=100_000, description="With less left, no second opinions; absent: the server's."
    )
    economy_threshold_cents: int | None = Field(
        default=None, ge=0, le=100_000, description="With less left, no language model at all; absent: the server's."
    )

    success_criteria: tuple[Line, ...] = Field(
        default=("accuracy >= 0.7", "no more than 3 hints", "learner finishes"),
        min_length=1,
        max_length=10,
        description="What a session wants to reach, as criteria that can be measured: accuracy (share of the questions"
        " answered), answered, hints, attempts, skipped, shown (answers shown), learner finishes.",
    )


class TextStep(Contract):
    """A step that is read: running text."""

    type: Literal["NARRATION", "CONTENT", "CASE", "KEY_CONTENT"]
    title: Line | None = None
    body: Markdown


class Item(Contract):
    """One entry of an item step."""

    title: Line | None = None
    body: Markdown


class ItemStep(Contract):
    """A step that is read: an optional introduction and a list of items."""

    type: Literal["KEY_POINTS", "KEY_ELEMENTS", "TOPICS", "EXPECTED_LEARNING", "REFLECTION_AREAS"]
    title: Line | None = None
    body: Markdown | None = None
    items: tuple[Item, ...] = Field(min_length=1, max_length=50)


Step = Annotated[TextStep | ItemStep | Ask, Field(discriminator="type")]


class Moment(Contract):
    """A stretch of the lesson with one purpose."""

    title: Line
    steps: tuple[Step, ...] = Field(min_length=1, max_length=500)


class Lesson(Contract):
    """A whole lesson file."""

    format: Literal["andamio.lesson/1"]
    meta: Meta
    policy: Policy = Policy()
    moments: tuple[Moment, ...] = Field(min_length=1, max_length=100)
