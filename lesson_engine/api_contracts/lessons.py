"""Lessons as the API shows them: what they are about and how long they are, nothing of what they expect."""

from pydantic import Field

from core.contracts import Contract

from .parts import Count, Position, Slug


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
