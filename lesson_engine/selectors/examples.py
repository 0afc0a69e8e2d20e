"""Answers that staff judged, as examples for the grader."""

import hashlib
import json
from collections.abc import Callable, Collection

import numpy as np
import numpy.typing as npt
from django.db.models import QuerySet
from pgvector.django import CosineDistance

from lesson_engine.contracts import Ask, LabelledAnswer, VerdictResult
from lesson_engine.models import AnswerExample

KINDS = ("open", "definition")
"""Questions that are answered in one's own words: only these learn from examples."""
MOST = 12
"""Examples that one answer is held against."""
Near = Callable[[], npt.NDArray[np.float32]]


def ask_digest(ask: Ask) -> str:
    """SHA-256 of what a question asks, expects and knows as wrong ideas.

    Versions of a lesson in which this is the same share their examples, whatever else was changed of the question.
    """
    wrong_ideas = [wrong.model_dump(mode="json", include={"code", "examples"}) for wrong in ask.misconceptions]
    answer = ask.answer.model_dump(mode="json", exclude_defaults=True)
    asked = {"question": ask.question, "answer": answer, "misconceptions": wrong_ideas}
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()


def examples_of(lesson_version_id: int, ask: Ask, *, near: Near, limit: int = MOST) -> list[LabelledAnswer]:
    """The examples of a question that count, the `limit` nearest to `near`; of the same words the newest alone.

    They come in the order in which staff decided, the last decision last. `near` gives the vector of a reply, and
    is only called where there are examples. Two queries then, one where there are none, and none for a question that is
    not answered in one's own words.
    """
    if ask.answer.kind not in KINDS:
        return []
    of_lesson = AnswerExample.objects.filter(lesson__versions=lesson_version_id, ask_digest=ask_digest(ask))
    counting = of_lesson.filter(removed_at__isnull=True, text__isnull=False)
    if not counting.exists():
        return []
    # A group of answers that were decided on together must not take every place.
    newest = counting.order_by("text", "-review_id").distinct("text").values("pk")
    return _labelled(counting.filter(pk__in=newest).order_by(CosineDistance("vector", near()), "pk")[:limit])


def examples_used(ids: Collection[int]) -> list[LabelledAnswer]:
    """The examples with these ids, also those that count no more, but for those that were erased; in the order of
    `examples_of`. One query.
    """
    return _labelled(AnswerExample.objects.filter(pk__in=ids, text__isnull=False))


def _labelled(rows: QuerySet[AnswerExample]) -> list[LabelledAnswer]:
    # Not by their own keys: a row may be made long after its review.
    values = sorted(rows.values_list("review_id", "pk", "text", "result"))
    return [LabelledAnswer(id=pk, text=text or "", result=VerdictResult(result)) for _, pk, text, result in values]
