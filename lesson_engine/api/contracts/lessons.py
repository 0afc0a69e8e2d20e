"""Lessons as the API shows them, without what they expect, and kinds of fields that several values share."""

from typing import Annotated, Literal

from pydantic import Field

from core.contracts import Contract
from lesson_engine.contracts.fields import Slug as SlugText

Slug = Annotated[SlugText, Field(description="The lesson's name in addresses.", examples=["fotosintesis"])]
ModeName = Annotated[
    Literal["deterministic", "adaptive"],
    Field(description="Deterministic walks the lesson as written; adaptive lets the bounded planner help."),
]
StatusName = Annotated[
    Literal["active", "finished", "set_aside"],
    Field(description="Set aside: the learner had another session of this lesson and went on with that one."),
]
Percent = Annotated[int, Field(ge=0, le=100)]
Count = Annotated[int, Field(ge=0)]
Position = Annotated[int, Field(ge=1, description="Counts from 1.")]


class Formatted(Contract):
    """Text with formatting, twice: as it was written and ready to be shown."""

    markdown: str = Field(description="Markdown, with LaTeX between dollar signs.", examples=["Plants make **sugar**."])
    html: str = Field(
        description="The same as HTML that is safe in any page: no scripts, no pictures, mathematics as MathML.",
        examples=["<p>Plants make <strong>sugar</strong>.</p>\n"],
    )


class LessonSummary(Contract):
    """A lesson on offer, in the version that a new session gets."""

    slug: Slug
    title: str
    language: str = Field(description="Language of the lesson's own texts.", examples=["es"])
    summary: str = Field(description="What the lesson is about, in a sentence or two.")
    version: Position = Field(description="Number of the version; counts from 1 with every changed file.")
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the lesson file's bytes.")
    steps: Count = Field(description="Steps of all kinds.")
    questions: Count = Field(description="How many of the steps are questions.")


class LessonSkill(Contract):
    """Something a learner can do afterwards."""

    code: str
    title: str


class LessonMoment(Contract):
    """A stretch of the lesson with one purpose."""

    title: str
    steps: Count = Field(description="Steps of all kinds.")
    questions: Count = Field(description="How many of the steps are questions.")


class LessonDetail(LessonSummary):
    """A lesson before it is taken."""

    objectives: tuple[str, ...] = Field(description="What a learner will be able to do.")
    skills: tuple[LessonSkill, ...] = Field(description="What the questions exercise; results are told by skill.")
    moments: tuple[LessonMoment, ...]
    attempts: int = Field(ge=1, description="Wrong answers after which a question's answer is shown.")
