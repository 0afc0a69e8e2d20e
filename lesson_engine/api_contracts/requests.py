"""Bodies and query parameters. What they refuse comes back with the place of each fault."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints, model_validator

from core.api import PageQuery
from core.contracts import Contract
from lesson_engine.contracts import MAX_ANSWER, MAX_CHOICES
from lesson_engine.contracts.fields import Code
from lesson_engine.services.reports import MAX_COMMENT

from .parts import ModeName, Slug, StatusName

Pseudonym = Annotated[
    str,
    StringConstraints(min_length=1, max_length=120, pattern=r"^[\w!-~]([ \w!-~]*[\w!-~])?$"),
    Field(description="Your program's name for a learner whom you manage.", examples=["learner-7"]),
]
# What JSON Schema calls \w is Python's: a letter or digit of any script.
_PYTHONS_PATTERNS = ConfigDict(regex_engine="python-re")


SeenVersion = Annotated[
    int,
    Field(ge=0, le=2**31 - 1, description="The session's `version` for which the action is made.", examples=[3]),
]


Words = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
"""Any text that can be stored; the one character that cannot is NUL."""


class LessonsQuery(PageQuery):
    """Which lessons to list."""

    language: str | None = Field(
        default=None, description="Only lessons in this language.", pattern="^[a-z]{2}(-[A-Z]{2})?$"
    )


class SessionsQuery(PageQuery):
    """Which sessions to list."""

    model_config = _PYTHONS_PATTERNS

    status: StatusName | None = None
    lesson: Slug | None = None
    learner: Pseudonym | None = None


class StartBody(Contract):
    """Which lesson to begin or resume, and for whom."""

    model_config = _PYTHONS_PATTERNS

    lesson: Slug
    learner: Pseudonym | None = Field(
        default=None,
        description="For integrators: a learner whom you manage, made on first use. Left out, the session is your own.",
    )
    mode: ModeName = Field(
        default="deterministic", description="The mode of a new session; a resumed one keeps its own."
    )


class ModeBody(Contract):
    """What to change of a session."""

    mode: ModeName


class ActionBody(Contract):
    """An action that says nothing more."""

    version: SeenVersion


_FORMS = ("text", "choices", "dont_know")


def _one_form(schema: dict[str, Any]) -> None:
    """Exactly one way to answer, in the words of JSON Schema."""
    schema["oneOf"] = [{"required": [name]} for name in _FORMS]
    for name in _FORMS:
        schema["properties"][name].pop("default", None)


class AnswerBody(Contract):
    """An answer in exactly one of three forms: `text`, `choices` or `dont_know`."""

    model_config = ConfigDict(json_schema_extra=_one_form)

    version: SeenVersion
    text: Words = Field(
        default="", max_length=MAX_ANSWER, description="The learner's own words; for all kinds that are written."
    )
    choices: tuple[Code, ...] = Field(
        default=(), max_length=MAX_CHOICES, description="Codes of what was picked; for the two kinds with choices."
    )
    dont_know: Literal[True] = Field(
        default=True, description="The learner does not know. Costs an attempt, and is answered as such."
    )

    @model_validator(mode="after")
    def _exactly_one_form(self) -> "AnswerBody":
        given = [name for name in _FORMS if name in self.model_fields_set]
        if len(given) != 1:
            raise ValueError("expected exactly one of text, choices and dont_know")
        return self

    @property
    def is_dont_know(self) -> bool:
        """Whether this is the form without an answer."""
        return "dont_know" in self.model_fields_set


class ReportBody(Contract):
    """What is wrong with the question that is shown."""

    version: SeenVersion
    kind: Literal["answer_wrong", "my_answer_right", "unclear", "not_taught", "other"] = Field(
        description=(
            "The expected answer is wrong; my answer was right and was not accepted; I cannot tell what is asked; "
            "the lesson does not say this; something else."
        )
    )
    comment: Words = Field(default="", max_length=MAX_COMMENT, description="In the learner's words. Erased with them.")
