"""What the timeline of a session is made of, as plain values."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.safestring import SafeString

from lesson_engine.explanations import Line
from lesson_engine.models import QuestionReport, QuestionVoid, Turn, VerdictReview
from lesson_engine.notices import NoticeView
from lesson_engine.results import Outcomes

Text = str | Promise


@dataclass(frozen=True)
class StepShown:
    """A step that came before the learner: a question with its text, or a reading with its title."""

    name: str
    title: str
    question: SafeString | str = ""


@dataclass(frozen=True)
class VerdictShown:
    """A verdict with its provenance. `percent` is the score; `misconception` is empty when none was recognised."""

    result: str
    name: Text
    rule: str
    words: str
    percent: int
    grader: str
    lines: tuple[Line, ...]
    misconception: str
    doubtful: bool
    deviation: Text


@dataclass(frozen=True)
class EscalationShown:
    """A second opinion that was wanted: what came of it, with its documented name. `cost` is in cents."""

    outcome: str
    name: Text
    model: str
    cost: str
    tricks: bool


@dataclass(frozen=True)
class MoveShown:
    """What the planner did and why, each with its documented name in the command."""

    op: str
    name: Text
    target: str
    reason: str
    why: Text


@dataclass(frozen=True)
class Shown:
    """What came before the learner because of a turn."""

    notice: NoticeView | None = None
    hints: tuple[SafeString, ...] = ()
    micro_step: SafeString | str = ""
    step: StepShown | None = None
    closed_as: str = ""
    reread: bool = False
    finished: bool = False


@dataclass(frozen=True)
class About:
    """What else is on record of a session's questions, by their codes."""

    reports: dict[str, QuestionReport]
    voids: dict[str, QuestionVoid]


@dataclass(frozen=True)
class Rescored:
    """A session's result before and after a question was withdrawn, or a verdict reviewed."""

    before: Outcomes
    after: Outcomes


@dataclass(frozen=True)
class ReviewShown:
    """What somebody of the staff said that an answer is worth. `confirmed` where that is what the grader said.

    `scored` is the version of the turn that scored the session anew, None where nothing changed; `answer` that of the
    answer; the pages are those of the timeline where they are.
    """

    review: VerdictReview
    before: Text
    result: Text
    confirmed: bool
    answer: int
    scored: int | None
    answer_page: int
    scored_page: int


@dataclass(frozen=True)
class Entry:
    """One turn. `question` is given where it was not shown just before; `shown` is None where it cannot be told.

    `cost` is in cents, empty where nothing was used that could cost. `report`, `void` and `review` are what a turn of
    that kind is about; `reviews` is all that staff said of an answer, in order.
    """

    turn: Turn
    at: datetime
    question: StepShown | None
    written: tuple[str, ...]
    erased: bool
    verdict: VerdictShown | None
    escalation: EscalationShown | None
    move: MoveShown | None
    shown: Shown | None
    cost: str
    attack_like: bool
    report: QuestionReport | None
    void: QuestionVoid | None
    rescored: Rescored | None
    review: ReviewShown | None
    reviews: tuple[ReviewShown, ...]

    @property
    def running(self) -> bool:
        """Whether the answer is still being judged."""
        return self.turn.state == Turn.State.RUNNING


@dataclass(frozen=True)
class Timeline:
    """A page of a session's turns. `first` is the step it began with, on the first page only.

    `spent` is what all turns of the session cost, in cents; `voided` what was withdrawn before it began.
    """

    first: StepShown | None
    entries: tuple[Entry, ...]
    page: int
    pages: int
    spent: str
    voided: tuple[str, ...]

    @property
    def previous(self) -> int:
        """The page before; 0 on the first."""
        return self.page - 1

    @property
    def next(self) -> int:
        """The page after; 0 on the last."""
        return self.page + 1 if self.page < self.pages else 0


@dataclass(frozen=True)
class AnswerShown:
    """An answer to one question, beside what came of it."""

    turn: Turn
    written: tuple[str, ...]
    erased: bool
    verdict: VerdictShown | None
