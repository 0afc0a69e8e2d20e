"""What passes between the stages of a turn. Sources: spec/3 "AdaptCommand Schema"; design.md, "A turn"."""

from enum import StrEnum
from typing import Any, Final, Literal

from pydantic import Field

from core.contracts import Contract

from .fields import Code

Operation = Literal["reask", "hint", "goto", "repeat", "insert_micro"]
Reason = Literal["SEM_LOW", "THINKER_ESCALATION", "OFF_TOPIC", "BUDGET_LIMIT"]


class AdaptCommand(Contract):
    """One bounded move of the planner. `targetAskCode` is the documented name of `target_ask_code` in JSON."""

    op: Operation
    target_ask_code: Code | None = Field(default=None, alias="targetAskCode")
    note: str | None = None
    reason: Reason | None = None


class TopicDeviation(StrEnum):
    """How far a reply is from what was asked. Wrong is not off-topic."""

    ON_TOPIC = "ON_TOPIC"
    VAGUE = "VAGUE"
    OFF_TOPIC = "OFF_TOPIC"


class VerdictResult(StrEnum):
    """What an answer is worth. NOT_GRADABLE: empty, unreadable or in the wrong form for its kind."""

    ACCEPT = "ACCEPT"
    PARTIAL = "PARTIAL"
    REJECT = "REJECT"
    NOT_GRADABLE = "NOT_GRADABLE"


MAX_ANSWER = 4_000
"""Characters of an answer that are read; far beyond "a sentence or two", and bounds the work of grading one."""
MAX_CHOICES = 50
"""Codes of choices that are read in one answer; no question has as many."""


class Reply(Contract):
    """What a learner sent: text for written kinds, choice codes for the two kinds of choice."""

    text: str = ""
    choices: tuple[str, ...] = ()


Zone = Literal["sure_right", "sure_partly", "sure_wrong", "not_sure", "not_graded"]
Provenance = Literal["rules", "example", "model", "self"]
"""The grader by itself, an answer that staff had labelled, a language model, or the learner's own word."""
_ZONES: Final[dict[VerdictResult, Zone]] = {
    VerdictResult.ACCEPT: "sure_right",
    VerdictResult.PARTIAL: "sure_partly",
    VerdictResult.REJECT: "sure_wrong",
    VerdictResult.NOT_GRADABLE: "not_graded",
}


class Verdict(Contract):
    """A judgement with its provenance: which rule of which grader decided, how sure, and what it compared with."""

    result: VerdictResult
    rule: str = Field(description='Dotted name of the deciding rule, such as "numeric.value" or "open.semantic".')
    score: float = Field(ge=0, le=1, description="How right the answer is, 1 is fully.")
    grader: str = Field(description="Version of the grader.")
    misconception: Code | None = None
    no_attempt: bool = Field(default=False, description='The reply does not try: "I don\'t know", a plea, a greeting.')
    doubtful: bool = Field(default=False, description="The grader is not sure, and never says wrong then.")
    provenance: Provenance | None = Field(
        default=None, description="Who says so; None from before it was kept, when doubt cost an attempt."
    )
    feedback: str | None = Field(default=None, description="The author's Markdown for this case, when there is some.")
    details: dict[str, Any] = Field(default_factory=dict, description="Facts for the explanation, JSON values only.")

    @property
    def zone(self) -> Zone:
        """How sure the grader is of which result. Sure to be partly right is only what was counted, not guessed."""
        return "not_sure" if self.doubtful else _ZONES[self.result]


class LabelledAnswer(Contract):
    """An earlier answer to a question and what staff said that it is worth. `id` is that of its row."""

    id: int
    text: str
    result: VerdictResult
