"""What staff say of an answer becomes an example of its question, and stops being one when it no longer counts."""

from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from core.errors import RowThere
from core.services import row_insert
from gateway.services import texts_embed_locally
from lesson_engine.lesson_file.catalogue import outline_of
from lesson_engine.models import EXAMPLE_RESULTS, AnswerExample, LearnerText, Turn, VerdictReview
from lesson_engine.selectors.examples import KINDS, ask_digest

_AT_ONCE = 200


def example_of(answer: Turn, review: VerdictReview) -> AnswerExample | None:
    """The example that a review makes of its answer, not saved yet; None where it makes none.

    One that takes another back makes none, nor does one that says that the answer is none, or an answer to a question
    that is not answered in one's own words. `answer` needs its session and words. The embedder is asked: no transaction
    should be open.
    """
    ask = outline_of(answer.session.lesson_version_id).ask(answer.ask_code)
    if review.takes_back is not None or review.result not in EXAMPLE_RESULTS or ask.answer.kind not in KINDS:
        return None
    text = answer.words.text
    if not text or not text.strip():
        return None
    return AnswerExample(
        lesson_id=answer.session.lesson_id,
        lesson_version_id=answer.session.lesson_version_id,
        ask_code=ask.code,
        ask_digest=ask_digest(ask),
        result=review.result,
        text=text,
        vector=texts_embed_locally([text])[0],
    )


def example_keep(
    *, review: VerdictReview, before: VerdictReview | None, example: AnswerExample | None, now: datetime
) -> None:
    """Let an example count in place of the one of the review `before`; with None for an example, nothing does.

    Needs the transaction that stores `review`, and in it the lock on the learner's words: what is being erased must not
    come back.
    """
    if before is not None:
        AnswerExample.objects.filter(review=before).update(removed_at=now)
    if example is not None:
        example.review, example.created_at = review, now
        example.save(force_insert=True)


def examples_make() -> int:
    """Make the examples that reviews from before there were examples lack; returns how many. Each is one transaction.

    Safe to repeat, and beside staff and learners who go on.
    """
    made = last = 0
    while reviews := list(_without_example(last)):
        last = reviews[-1].pk
        made += sum(_made(review) for review in reviews)
    return made


def _without_example(last: int) -> QuerySet[VerdictReview]:
    reviews = VerdictReview.objects.filter(pk__gt=last, current=True, result__in=EXAMPLE_RESULTS, example__isnull=True)
    joined = reviews.filter(turn__words__text__isnull=False).select_related("turn__session", "turn__words")
    return joined.order_by("pk")[:_AT_ONCE]


def _made(review: VerdictReview) -> bool:
    example = example_of(review.turn, review)
    if example is None:
        return False
    with transaction.atomic():
        words = LearnerText.objects.select_for_update(no_key=True).get(pk=review.turn_id)
        counting = VerdictReview.objects.select_for_update(no_key=True).filter(pk=review.pk, current=True)
        if words.erased_at is not None or not list(counting):
            return False
        example.review, example.created_at = review, timezone.now()
        try:
            row_insert(example)
        except RowThere:  # the same command at the same time
            return False
    return True


def examples_erase(*, user_id: int) -> None:
    """Erase what a learner wrote from the examples. Needs a transaction in which their words are erased."""
    theirs = AnswerExample.objects.filter(review__turn__session__user_id=user_id, text__isnull=False)
    theirs.update(text=None, vector=None)
