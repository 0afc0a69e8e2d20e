"""What staff said of the answers of a session, for its timeline."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lesson_engine.models import Turn, VerdictReview
from lesson_engine.selectors import TURNS_PER_PAGE
from lesson_engine.timeline_values import ReviewShown, Text


@dataclass(frozen=True)
class ReviewsShown:
    """By the primary keys of turns: `of` an answer in order, and which one it is that a turn is `about`."""

    of: Mapping[int, tuple[ReviewShown, ...]]
    about: Mapping[int, ReviewShown]


def reviews_shown(reviews: Iterable[VerdictReview], turns: Iterable[Turn], results: Mapping[str, Text]) -> ReviewsShown:
    """In words. `reviews` come with the turns that they made; those of answers that are not among `turns` are left out.

    `results` are what verdicts are called.
    """
    versions = {turn.pk: turn.version for turn in turns}
    of: dict[int, list[ReviewShown]] = defaultdict(list)
    about: dict[int, ReviewShown] = {}
    for review in sorted(reviews, key=lambda one: one.pk):
        if review.turn_id not in versions:
            continue
        earlier = of[review.turn_id]
        before = earlier[-1].review.result if earlier else review.graded
        answer, scored = versions[review.turn_id], review.rescoring.version if review.rescoring else None
        shown = ReviewShown(
            review=review,
            before=results[before],
            result=results[review.result],
            confirmed=review.result == review.graded,
            answer=answer,
            scored=scored,
            answer_page=answer // TURNS_PER_PAGE + 1,
            scored_page=(scored or 0) // TURNS_PER_PAGE + 1,
        )
        earlier.append(shown)
        if review.rescoring_id is not None:
            about[review.rescoring_id] = shown
    return ReviewsShown({pk: tuple(shown) for pk, shown in of.items()}, about)
