"""One decision for a group of answers: each gets a review of its own, and can be taken back by itself."""

from collections.abc import Iterable
from dataclasses import dataclass

from accounts.models import User
from lesson_engine.contracts import VerdictResult
from lesson_engine.errors import ActionNotPossible, ReviewedMeanwhile, StaleSession
from lesson_engine.models import Turn, VerdictReview
from lesson_engine.services.reviewing import verdict_review

MOST_OF_A_GROUP = 50


@dataclass(frozen=True)
class MemberDecided:
    """What came of one answer of a group: the review that counts now, or why nothing was stored.

    `is_new` is False where that review was there before and says the same.
    """

    turn: Turn
    review: VerdictReview | None = None
    is_new: bool = False
    refusal: ActionNotPossible | ReviewedMeanwhile | StaleSession | None = None


def verdicts_review(*, turns: Iterable[Turn], result: VerdictResult, by: User, note: str = "") -> list[MemberDecided]:
    """Say of each of these answers that it is worth `result`, in the given order, each in a transaction of its own.

    They are taken for answers without a review: one that somebody else reviewed meanwhile, and says otherwise, is left
    alone. So is one whose session is busy: the request does not wait, as fifty might be. What is refused for one keeps
    no other from being stored. The rest is as in `verdict_review`.
    """
    return [_decided(turn, result, by, note) for turn in turns]


def _decided(turn: Turn, result: VerdictResult, by: User, note: str) -> MemberDecided:
    try:
        said = verdict_review(turn=turn, result=result, by=by, note=note, seen=0, patient=False)
    except (ActionNotPossible, ReviewedMeanwhile, StaleSession) as refusal:
        return MemberDecided(turn, refusal=refusal)
    return MemberDecided(turn, said.review, said.is_new)
