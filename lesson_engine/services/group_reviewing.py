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
    alone. What is refused for one keeps no other from being stored. The rest is as in `verdict_review`.
    """
    chosen = list(turns)
    before = set(VerdictReview.objects.filter(turn__in=chosen, current=True).values_list("pk", flat=True))
    return [_decided(turn, result, by, note, before) for turn in chosen]


def _decided(turn: Turn, result: VerdictResult, by: User, note: str, before: set[int]) -> MemberDecided:
    try:
        review = verdict_review(turn=turn, result=result, by=by, note=note, seen=0)
    except (ActionNotPossible, ReviewedMeanwhile, StaleSession) as refusal:
        return MemberDecided(turn, refusal=refusal)
    return MemberDecided(turn, review, is_new=review.by_id == by.pk and review.pk not in before)
