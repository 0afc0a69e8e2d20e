"""Kinds of fields that several values of the API share."""

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
