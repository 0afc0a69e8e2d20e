"""What a trial of a question brings: the tries with their verdicts, and what its author should look at."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from lesson_engine.contracts import VerdictResult, Zone

MadeOf = Literal["accepted", "example", "capitals", "no_accents", "slip", "no_stop", "denied"]
"""An accepted answer or a misconception's example, either left out of the question; or an accepted answer changed."""
Expected = Literal["right", "wrong"]
Outcome = Literal["as_expected", "unclear", "opposite"]
_SURE: dict[Expected, Zone] = {"right": "sure_right", "wrong": "sure_wrong"}


@dataclass(frozen=True)
class Try:
    """A text, and the grader's verdict on it. `misconception` is what was found, `example_of` what should have been.

    `alone`: the misconception has no other example by which it could be found.
    """

    text: str
    made_of: MadeOf
    expected: Expected
    result: VerdictResult
    zone: Zone
    misconception: str | None = None
    example_of: str | None = None
    alone: bool = False

    @property
    def outcome(self) -> Outcome:
        """Unclear: not sure, partly right, or not graded where it should be wrong. What is not graded is not right."""
        if self.zone == _SURE[self.expected]:
            return "as_expected"
        opposite = ("sure_wrong", "not_graded") if self.expected == "right" else ("sure_right",)
        return "opposite" if self.zone in opposite else "unclear"

    @property
    def is_recognised(self) -> bool:
        """Whether the misconception that it is an example of was found, if it could be."""
        return self.alone or self.misconception == self.example_of


class WarningKind(StrEnum):
    """The strongest first."""

    EXAMPLE_ACCEPTED = "example_accepted"
    DENIAL_ACCEPTED = "denial_accepted"
    ACCEPTED_WRONG = "accepted_wrong"
    GROUP_NOT_MET = "group_not_met"
    GROUP_IN_QUESTION = "group_in_question"
    GROUP_IN_EXAMPLES = "group_in_examples"
    EXAMPLE_NOT_RECOGNISED = "example_not_recognised"
    FEW_ACCEPTED = "few_accepted"
    FEW_EXAMPLES = "few_examples"
    NO_MISCONCEPTION = "no_misconception"

    @property
    def rank(self) -> int:
        """0 is the strongest."""
        return [*WarningKind].index(self)


@dataclass(frozen=True)
class TrialWarning:
    """`quote` is the text it is about, or the first of `count` of `total` texts; `group` the keyword group.

    `words` are those of the answers that have none of the group's, or those of the group that any answer has.
    `code` is that of a misconception.
    """

    kind: WarningKind
    quote: str = ""
    code: str = ""
    group: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    count: int = 1
    total: int = 1


@dataclass(frozen=True)
class QuestionTrial:
    """`untried` is how many of the author's texts there was no room for. Warnings come the strongest first."""

    tries: tuple[Try, ...]
    warnings: tuple[TrialWarning, ...]
    untried: int = 0
