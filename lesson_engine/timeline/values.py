"""What the timeline of a session shows, as plain values."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise
from django.utils.safestring import SafeString

from lesson_engine.contracts import Verdict
from lesson_engine.explanations import NOT_SURE, Line
from lesson_engine.explanations.notices import NoticeView
from lesson_engine.models import QuestionReport, QuestionVoid, Turn, VerdictReview
from lesson_engine.outcomes.results import Outcomes
from lesson_engine.selectors import TURNS_PER_PAGE

Text = str | Promise


@dataclass(frozen=True)
class StepView:
    """A step that came before the learner: a question with its text, or a reading with its title."""

    name: str
    title: str
    question: SafeString | str = ""


@dataclass(frozen=True)
class VerdictView:
    """A verdict in words, with its provenance. `percent` is the score; `mark` is what colours go by."""

    verdict: Verdict
    name: Text
    words: str
    percent: int
    lines: tuple[Line, ...]
    deviation: Text

    @property
    def mark(self) -> str:
        return "not_sure" if self.verdict.doubtful else self.verdict.result.lower()


@dataclass(frozen=True)
class AnswerView:
    """An answer to a question and its verdict; None while it is judged. Without words, it is empty and not erased."""

    turn: Turn
    written: tuple[str, ...]
    erased: bool
    verdict: VerdictView | None


@dataclass(frozen=True)
class EscalationView:
    """A second opinion that was wanted: what came of it, with its documented name. `cost` is in cents."""

    outcome: str
    name: Text
    model: str
    cost: str
    tricks: bool


@dataclass(frozen=True)
class MoveView:
    """What the planner did and why, each with its documented name in the command."""

    op: str
    name: Text
    target: str
    reason: str
    why: Text


@dataclass(frozen=True)
class EffectView:
    """What came before the learner because of a turn."""

    notice: NoticeView | None = None
    hints: tuple[SafeString, ...] = ()
    micro_step: SafeString | str = ""
    step: StepView | None = None
    closed_as: str = ""
    reread: bool = False
    finished: bool = False


@dataclass(frozen=True)
class About:
    """Reports and withdrawals of a session's questions, by their codes."""

    reports: dict[str, QuestionReport]
    voids: dict[str, QuestionVoid]


@dataclass(frozen=True)
class Rescored:
    """A session's result before and after a question was withdrawn, or a verdict reviewed."""

    before: Outcomes
    after: Outcomes


@dataclass(frozen=True)
class ReviewView:
    """A review of an answer. `confirmed` where its result is what the grader was sure of, `takes_back` where it undoes
    the one before.

    `scored` is the version of the turn that scored the session anew, None where nothing changed; `answer` that of the
    answer; the pages are those of the timeline where they are.
    """

    review: VerdictReview
    before: Text
    result: Text
    confirmed: bool
    takes_back: bool
    answer: int
    scored: int | None
    answer_page: int
    scored_page: int


@dataclass(frozen=True)
class TurnView:
    """A turn. `question` is given where it was not shown just before; `shown` is None where it cannot be known.
    `own_word` is what the learner said who compared; empty for every other turn.

    `cost` is in cents, empty where nothing was used that could cost. `report`, `void` and `review` are what a turn of
    that kind is about; `reviews` are all of an answer, in order.
    """

    turn: Turn
    at: datetime
    question: StepView | None
    answer: AnswerView
    own_word: Text
    escalation: EscalationView | None
    move: MoveView | None
    shown: EffectView | None
    cost: str
    attack_like: bool
    report: QuestionReport | None
    void: QuestionVoid | None
    rescored: Rescored | None
    review: ReviewView | None
    reviews: tuple[ReviewView, ...]


@dataclass(frozen=True)
class Timeline:
    """A page of a session's turns. `first` is the step it began with, on the first page only.

    `spent` is what all turns of the session cost, in cents; `voided` what was withdrawn before it began.
    """

    first: StepView | None
    turns: tuple[TurnView, ...]
    page: int
    pages: int
    spent: str
    voided: tuple[str, ...]

    @property
    def previous(self) -> int:
        return self.page - 1

    @property
    def next(self) -> int:
        """The page after; 0 on the last."""
        return self.page + 1 if self.page < self.pages else 0


@dataclass(frozen=True)
class TurnReviews:
    """By the primary keys of turns: `of` an answer in order, and which one it is that a turn is `about`."""

    of: Mapping[int, tuple[ReviewView, ...]]
    about: Mapping[int, ReviewView]


def turn_reviews(reviews: Iterable[VerdictReview], turns: Iterable[Turn], results: Mapping[str, Text]) -> TurnReviews:
    """In words. `reviews` come with the turns that they made; those of answers that are not among `turns` are left out.

    `results` are what verdicts are called.
    """
    versions = {turn.pk: turn.version for turn in turns}
    of: dict[int, list[ReviewView]] = defaultdict(list)
    about: dict[int, ReviewView] = {}
    for review in sorted(reviews, key=lambda review: review.pk):
        if review.turn_id not in versions:
            continue
        earlier = of[review.turn_id]
        graded = NOT_SURE if review.doubtful else results[review.graded]
        takes_back = review.takes_back_id is not None
        answer, scored = versions[review.turn_id], review.rescoring.version if review.rescoring else None
        shown = ReviewView(
            review=review,
            before=earlier[-1].result if earlier else graded,
            result=graded if takes_back else results[review.result],
            confirmed=review.result == review.graded and not review.doubtful,
            takes_back=takes_back,
            answer=answer,
            scored=scored,
            answer_page=answer // TURNS_PER_PAGE + 1,
            scored_page=(scored or 0) // TURNS_PER_PAGE + 1,
        )
        earlier.append(shown)
        if review.rescoring_id is not None:
            about[review.rescoring_id] = shown
    return TurnReviews({pk: tuple(shown) for pk, shown in of.items()}, about)
