"""Reads of the Consult page: what one person asked, and how one question was understood."""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import BinaryField, Q, QuerySet
from django.db.models.functions import Substr

from accounts.models import User
from routing.models import AuditEntry, QueryPlan

ROWS = 20
_COLUMNS = ("domains", "confidence", "corrects_id")
_FIRST_BYTES = 480  # of a message, for its first words: 120 characters of any script


class HistoryRow(NamedTuple):
    """A question with the plan that stands. `words` is the beginning of its bytes; None once they are erased."""

    plan_id: uuid.UUID
    question_id: uuid.UUID
    words: bytes | None
    language: str
    asked_at: datetime
    domains: Sequence[str]
    confidence: str
    corrected: bool


def history_rows(user: User, *, before: uuid.UUID | None = None, limit: int = ROWS) -> list[HistoryRow]:
    """What somebody asked, the latest first; `before` is a question of theirs, and older ones are wanted.

    One query, one more with `before`. Raises `QueryPlan.DoesNotExist` for a question that is not theirs.
    """
    rows = _own(user).filter(corrected_by__isnull=True)
    if before is not None:
        at = _own(user).filter(question=before, corrects__isnull=True).values_list("question__created_at").get()[0]
        rows = rows.filter(Q(question__created_at__lt=at) | Q(question__created_at=at, question_id__lt=before))
    found = (
        rows.annotate(words=Substr("question__message", 1, _FIRST_BYTES, output_field=BinaryField()))
        .order_by("-question__created_at", "-question_id")
        .values("pk", "question_id", "words", "question__language", "question__created_at", *_COLUMNS)
    )
    return [_row(values) for values in found[:limit]]


def _row(values: Mapping[str, Any]) -> HistoryRow:
    words = values["words"]
    return HistoryRow(
        plan_id=values["pk"],
        question_id=values["question_id"],
        words=None if words is None else bytes(words),
        language=values["question__language"],
        asked_at=values["question__created_at"],
        domains=values["domains"],
        confidence=values["confidence"],
        corrected=values["corrects_id"] is not None,
    )


def plan_shown(user: User, plan_id: uuid.UUID) -> QueryPlan:
    """A plan of somebody's with its question, its pack's name, and the plans before and after it, in one query.

    Raises `QueryPlan.DoesNotExist`, also for a plan of somebody else's.
    """
    related = ("question", "pack", "corrected_by")
    return (
        _own(user).select_related(*related).defer("pack__content", "reading", "corrected_by__reading").get(pk=plan_id)
    )


def plans_of_question(plan: QueryPlan) -> list[QueryPlan]:
    """How the question of a plan was understood, the first plan first. No query for one that was never corrected."""
    if plan.corrects_id is None and not hasattr(plan, "corrected_by"):
        return [plan]
    rows = QueryPlan.objects.filter(question_id=plan.question_id).only("domains", "created_at", "corrects")
    return list(rows.order_by("created_at"))


def entry_of_plan(plan: QueryPlan) -> AuditEntry | None:
    """The audit entry that put a plan on record, with the head of its chain."""
    entries = AuditEntry.objects.filter(query_plan=plan).select_related("chain")
    snapshots = ("plan_snapshot", "decision_snapshot", "output_snapshot")
    return entries.defer(*snapshots).order_by("stored_at", "seq").first()


def _own(user: User) -> QuerySet[QueryPlan]:
    return QueryPlan.objects.filter(question__user=user)
