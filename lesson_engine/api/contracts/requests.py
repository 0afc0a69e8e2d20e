"""Bodies and query parameters. What they refuse comes back with the place of each fault."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, StringConstraints, field_validator, model_validator

from accounts.contracts import Pseudonym
from core.api.base import PYTHONS_PATTERNS, PageQuery
from core.contracts import Contract
from lesson_engine.api.contracts.lessons import ModeName, Slug, StatusName
from lesson_engine.contracts import MAX_ANSWER, MAX_CHOICES, VerdictResult
from lesson_engine.contracts.fields import Code
from lesson_engine.player.state import OwnWord
from lesson_engine.services.group_reviewing import MOST_OF_A_GROUP
from lesson_engine.services.questions import MAX_COMMENT, MAX_NOTE

SeenVersion = Annotated[
    int,
    Field(ge=0, le=2**31 - 1, description="The session's `version` for which the action is made.", examples=[3]),
]


GraderVersion = Annotated[
    str,
    StringConstraints(min_length=1, max_length=40, pattern="^[!-~]+$"),
    Field(description="Version of the grader.", examples=["1"]),
]


Words = Annotated[str, StringConstraints(pattern=r"^[^\x00]*$")]
"""Any text that can be stored; the one character that cannot is NUL."""


RowId = Annotated[int, Field(ge=1, le=2**63 - 1)]


class LessonsQuery(PageQuery):
    """Which lessons to list."""

    language: str | None = Field(
        default=None, description="Only lessons in this language.", pattern="^[a-z]{2}(-[A-Z]{2})?$"
    )


class SessionsQuery(PageQuery):
    """Which sessions to list."""

    model_config = PYTHONS_PATTERNS

    status: StatusName | None = None
    lesson: Slug | None = None
    learner: Pseudonym | None = None


class StartBody(Contract):
    """Which lesson to begin or resume, and for whom."""

    model_config = PYTHONS_PATTERNS

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
        if len(self.model_fields_set.intersection(_FORMS)) != 1:
            raise ValueError("expected exactly one of text, choices and dont_know")
        return self

    @property
    def is_dont_know(self) -> bool:
        """Whether this is the form without an answer."""
        return "dont_know" in self.model_fields_set


class OwnWordBody(Contract):
    """What the learner says who compared their answer with the author's."""

    version: SeenVersion
    said: OwnWord = Field(description="Whether it is what they meant.")


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


class VerdictFilters(Contract):
    """Which verdicts; each filter that is given must hold."""

    lesson: Slug | None = None
    ask: Code | None = Field(default=None, description="Only verdicts of the question with this code.")
    grader: GraderVersion | None = Field(default=None, description="Only verdicts of this version of the grader.")


class VerdictsQuery(VerdictFilters, PageQuery):
    """Which verdicts to list, and in which state."""

    result: VerdictResult | None = Field(default=None, description="Only verdicts with this result of the grader's.")
    state: Literal["waiting", "doubtful", "sure", "sample", "reviewed"] = Field(
        default="waiting",
        description=(
            "Waiting: staff have said nothing of them yet; first come those that learners compared with the "
            "author's answer, then the others of which the grader was unsure. "
            "Doubtful and sure: the two halves of these. Sample: the latest sure ones in an order that is chance's; "
            "send `drawn` with their reviews. Reviewed: with a review."
        ),
    )


class ReviewedFilters(VerdictFilters):
    """Which of the reviewed verdicts."""

    drawn: Literal["true", "false"] | None = Field(
        default=None, description="Only answers that chance chose for a review, or only those that somebody chose."
    )


def _seen_may_be_left_out(schema: dict[str, Any]) -> None:
    """Left out is not the same as null."""
    schema["properties"]["seen"].pop("default", None)


class ReviewBody(Contract):
    """What an answer is worth."""

    model_config = ConfigDict(json_schema_extra=_seen_may_be_left_out)

    result: VerdictResult = Field(description="The grader's own result confirms it; another one overrules it.")
    note: Words = Field(default="", max_length=MAX_NOTE, description="Why, for other staff. Not for learners' words.")
    seen: RowId | None = Field(
        default=None,
        description=(
            "The id of the review that you saw, null when you saw none. Sent along, your review is refused when "
            "another one came meanwhile; left out, it is not asked."
        ),
        examples=[None],
    )
    drawn: bool = Field(
        default=False,
        description=(
            "Whether chance chose the answer, as in a list with `state=sample`: only such ones tell how often the "
            "grader is right where it is sure. Of a later review it is not asked."
        ),
    )

    @property
    def names_seen(self) -> bool:
        """Whether `seen` was sent, null or not."""
        return "seen" in self.model_fields_set


class GroupReviewBody(Contract):
    """What several answers are worth, by one decision."""

    ids: Annotated[tuple[RowId, ...], Field(min_length=1, max_length=MOST_OF_A_GROUP)] = Field(
        description="The verdicts, in the order in which they are decided on; each is taken for one without a review.",
        json_schema_extra={"uniqueItems": True},
    )
    result: VerdictResult = Field(description="What each of the answers is worth.")
    note: Words = Field(default="", max_length=MAX_NOTE, description="Why, for other staff. Not for learners' words.")

    @field_validator("ids")
    @classmethod
    def _each_once(cls, ids: tuple[int, ...]) -> tuple[int, ...]:
        if len(set(ids)) < len(ids):
            raise ValueError("expected each id once")
        return ids


class UndoBody(Contract):
    """Which review is taken back."""

    seen: RowId = Field(description="The id of the review that counts, and that you take back.", examples=[12])
