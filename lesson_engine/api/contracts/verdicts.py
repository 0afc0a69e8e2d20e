"""Verdicts as staff see them: with the learner's words, what the author expects, and what staff said of it."""

from typing import Annotated, Literal
from uuid import UUID

from pydantic import AwareDatetime, Field

from core.contracts import Contract
from lesson_engine.api.contracts.lessons import Count, Formatted, Percent, Position, Slug
from lesson_engine.contracts import VerdictResult
from lesson_engine.player.state import Outcome, OwnWord
from lesson_engine.services.replaying import ReplayState

from .sessions import QuestionKind
from .turns import TurnVerdict

Share = Annotated[float, Field(ge=0, le=1)]


class VerdictLesson(Contract):
    """The lesson of a verdict, in the version that the session is on."""

    slug: Slug
    title: str
    language: str = Field(description="Language of the lesson's own texts.", examples=["es"])
    version: Position = Field(description="Number of the lesson's version.")
    sha256: str = Field(pattern="^[0-9a-f]{64}$", description="SHA-256 of the lesson file's bytes.")


class JudgedQuestion(Contract):
    """The question of a verdict, with what counts as an answer."""

    code: str = Field(description="Unique in the lesson.", examples=["ASK_001"])
    question: Formatted
    objective: str = Field(description="What a right answer shows, in the author's words.")
    kind: QuestionKind = Field(description="What sort of answer is expected.")
    reference_answers: tuple[str, ...] = Field(description="The author's answers, the one that learners see first.")


class Explanation(Contract):
    """Why the grader decided so, in the language of the response; it speaks to the learner."""

    words: str = Field(description="The rule in a sentence.")
    found: tuple[str, ...] = Field(description="What is missing, contradicted or out of place, a sentence each.")


class ReviewMade(Contract):
    """What a person of the staff said that an answer is worth. Never changes; who thinks otherwise adds another one."""

    id: int = Field(description="Names the review; send it as `seen` with one that is to follow it.", examples=[12])
    graded: VerdictResult = Field(description="What the grader said.")
    result: VerdictResult = Field(description="What the answer is worth: the same, or something else.")
    by: str = Field(description="User name of who said it.")
    at: AwareDatetime
    drawn: bool = Field(description="Whether chance chose the answer, and nobody.")
    takes_back: int | None = Field(
        description="The id of the review that this one takes back; the grader's verdict counts again. Null for others."
    )


class VerdictReviewItem(ReviewMade):
    """A review as it is kept."""

    note: str = Field(description="Why, for other staff; may be empty, and is emptied when the words are erased.")
    current: bool = Field(description="Whether it is the latest one, which counts.")


class VerdictItem(Contract):
    """An answer in the learner's words and what the grader said of it."""

    id: int = Field(description="Names the verdict for good.")
    session: UUID = Field(description="The session it belongs to; who its learner is, is not told.")
    turn: Count = Field(description="The `version` of the session that the answer was given to.")
    lesson: VerdictLesson
    question: JudgedQuestion
    answer: str | None = Field(description="The learner's words; null once they are erased.")
    verdict: TurnVerdict
    own_word: OwnWord | None = Field(
        description=(
            "What the learner said who compared it with the author's answer; it counts until staff look. Null where the"
            " grader was sure, or nothing was compared."
        )
    )
    explanation: Explanation
    review: VerdictReviewItem | None = Field(description="The review that counts; null before the first one.")
    answered_at: AwareDatetime


class VerdictReplay(Contract):
    """What comes of grading the answer once more, with the same answers that staff had judged. Nothing is stored."""

    state: ReplayState = Field(
        description=(
            "`same` or `other`: the result and score of the verdict, or not. `incomplete`: the answer, or one that it"
            " was held against, was erased. `former`: another version of the grader gave the verdict; it is shown as"
            " it was stored."
        )
    )
    result: VerdictResult | None = Field(description="What it comes out as; null where that cannot be told.")


class VerdictDetail(VerdictItem):
    """The same with everything that staff said of it."""

    reviews: tuple[VerdictReviewItem, ...] = Field(description="All reviews, the latest first.")
    replay: VerdictReplay


class ReviewedSession(Contract):
    """What a session comes to with a review. Withdrawn questions are in no number."""

    id: UUID
    version: Count = Field(description="Counts the turns; a review that changes the result is one of them.")
    outcome: Outcome = Field(
        description="How the question stands now. `missed`: it had closed with an answer that was not right."
    )
    questions: Count
    mastered: Count = Field(description="How many were answered.")
    by_own_word: Count = Field(description="How many of those by the learner's own word, until staff look.")
    shown: Count = Field(description="How many ended with their answer being shown.")
    skipped: Count = Field(description="How many were given up.")
    reported: Count = Field(description="How many ended with the learner saying that they are wrong.")
    missed: Count = Field(description="How many closed with an answer that staff found not to be right.")
    percent: Percent | None = Field(description="Share of the questions that were answered; null where none counts.")


class ReviewOutcome(Contract):
    """A review, and the session's result with it. The note is left out: it may quote, and this answer is kept a day."""

    review: ReviewMade
    rescored: bool = Field(description="Whether this review changed the session's result.")
    session: ReviewedSession


class ReviewRefusal(Contract):
    """Why nothing was stored for an answer, as the problem document of the same request for it alone would say."""

    code: Literal["not-found", "reviewed-meanwhile", "turn-still-running", "action-not-possible"]
    detail: str


class MemberReviewed(Contract):
    """What came of one answer of a group: an outcome or a refusal."""

    id: int = Field(description="The verdict.")
    stored: bool = Field(description="Whether a review was stored; false where the one that counts says the same.")
    outcome: ReviewOutcome | None
    refusal: ReviewRefusal | None


class GroupReviewed(Contract):
    """What came of a decision on several answers."""

    results: tuple[MemberReviewed, ...] = Field(description="One for each id, in their order.")


class AgreementNumbers(Contract):
    """How far a version of the grader agrees with staff. Of each answer the review that counts is counted.

    Doubtful and sure verdicts are kept apart: staff look at the doubtful ones first, and one number for both would tell
    of that choice alone.
    """

    grader: str = Field(description="Version of the grader.")
    doubtful: bool = Field(description="Whether these are the verdicts of which the grader was unsure.")
    n: Count = Field(description="Answers that staff reviewed.")
    agreed: Count = Field(description="Of how many they said what the grader had said.")
    share: Share = Field(description="`agreed` of `n`.")
    low: Share = Field(description="Lower bound of the true share, with 95 % confidence (Wilson).")
    high: Share = Field(description="Upper bound of it.")
    kappa: float | None = Field(
        description=(
            "Cohen's kappa with linear weights: 1 is full agreement, 0 what chance alone would give; null where both"
            " said the same of everything."
        )
    )
    false_accepts: Count = Field(description="Accepted by the grader, but not by staff.")
    false_rejects: Count = Field(description="Accepted by staff, but not by the grader.")


class QuestionAgreement(AgreementNumbers):
    """The same for one question, of all versions of its lesson together."""

    lesson: Slug
    ask: str = Field(description="Code of the question.", examples=["ASK_001"])


class AgreementReport(Contract):
    """Agreement between grader and staff, for what was reviewed."""

    graders: tuple[AgreementNumbers, ...] = Field(description="Of all questions together, by grader.")
    questions: tuple[QuestionAgreement, ...] = Field(description="By lesson, question and grader.")
