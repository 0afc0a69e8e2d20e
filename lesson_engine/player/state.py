"""The place of a learner in a lesson: all that the player needs, as one frozen value stored with the session."""

from typing import Literal

from core.contracts import Contract
from lesson_engine.contracts import AdaptCommand, TopicDeviation, Verdict

Phase = Literal["reading", "asking", "comparing", "closed", "micro", "finished"]
"""Comparing: the author's answer is shown beside the learner's, who says whether it is what they meant."""
Outcome = Literal["open", "mastered", "shown", "skipped", "reported", "voided", "missed"]
OwnWord = Literal["yes", "partly", "no"]
"""What a learner says who compared their answer with the author's: whether it is what they meant."""


class AskRecord(Contract):
    """How an ASK went so far. `blanks` counts replies in a row that could not be graded.

    `reported`: the learner said that it is wrong, while it was open. `voided`: staff withdrew it, met or not. `missed`:
    it closed with an answer that was accepted, and staff found later that it was not right. `reviewed`: staff changed a
    verdict of it, and with that this record; `ended` is then how it had ended, where it was not with an answer.

    `asked_again`: the grader was not sure of an answer, and the learner was asked to say it another way. `doubted`: it
    is still not sure of that answer, or of a later one, while the question is open. `strayed`: a reply was about
    something else; the first one cost nothing. `own_word`: what the learner said who compared; `by_own_word`: the
    outcome rests on that alone, since staff have not looked at the answer.
    """

    attempts: int = 0
    blanks: int = 0
    hints: int = 0
    outcome: Outcome = "open"
    micro_steps: tuple[str, ...] = ()
    reviewed: bool = False
    ended: Outcome = "open"
    asked_again: bool = False
    doubted: bool = False
    strayed: bool = False
    own_word: OwnWord | None = None
    by_own_word: bool = False


class CycleRecord(Contract):
    """What lasts only as long as the current cycle; leaving it forgets all of this."""

    read: tuple[int, ...] = ()
    micro_steps: int = 0
    jumped_from: tuple[str, ...] = ()


class Notice(Contract):
    """What the last turn came to, for the learner. `ask_code` is the ASK that was answered, not where they are now.

    `reported`: the learner has just said that this question is wrong, whether that closed it or not. `reviewed`: staff
    looked at an answer again, and the question was scored anew. `hint_shown`: a hint came after it. `spared`: it cost
    no attempt because it was the first reply that strayed, or because staff settled what the grader was not sure of.
    """

    ask_code: str
    verdict: Verdict | None = None
    deviation: TopicDeviation | None = None
    command: AdaptCommand | None = None
    closed_as: Outcome = "open"
    hint_shown: bool = False
    reported: bool = False
    reviewed: bool = False
    spared: bool = False


class PlayerState(Contract):
    """A learner's place. `cursor` is an index into the outline's places; `micro_step` the code of the one shown.

    `rescored`: staff have scored a question anew, whatever it counts as now.
    """

    cursor: int = 0
    phase: Phase = "reading"
    micro_step: str | None = None
    reread: bool = False
    asks: dict[str, AskRecord] = {}
    cycle: CycleRecord = CycleRecord()
    notice: Notice | None = None
    rescored: bool = False

    def record(self, code: str) -> AskRecord:
        """How the ASK went so far; a fresh record for one that was never met."""
        return self.asks.get(code) or AskRecord()

    def is_open(self, code: str) -> bool:
        """Whether the ASK still waits for its end."""
        return self.record(code).outcome == "open"
