"""Reads of the Consult page: the questions of a user, and the plans of a question."""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import BinaryField, Q, QuerySet
from django.db.models.functions import Substr

from accounts.models import User
from routing.models import AuditEntry, QueryPlan

ROWS = 20
_COLUMNS = ("domains", "confidence", "corrects_id")
_FIRST_BYTES = 480  # of a message, for its first words: 120 characters of any script


class HistoryRow(NamedTuple):
    """A question with its latest plan. `words` is the beginning of its bytes; None once they are erased."""

    plan_id: uuid.UUID
    question_id: uuid.UUID
    words: bytes | None
    language: str
    asked_at: datetime
    domains: Sequence[str]
    confidence: str
    corrected: bool


def history_rows(user: User, *, before: uuid.UUID | None = None, limit: int = ROWS) -> list[HistoryRow]:
    """The questions of a user, the latest first; with `before` those older than this question.

    One query, one more with `before`. Raises `QueryPlan.DoesNotExist` for a question of another user.
    """
    rows = _own(user).filter(corrected_by__isnull=True)
    if before is not None:
        at = _own(user).filter(question=before, corrects__isnull=True).values_list("question__created_at").get()[0]
        rows = rows.filter(Q(question__created_at__lt=at) | Q(question__created_at=at, question_id__lt=before))
    values = (
        rows.annotate(words=Substr("question__message", 1, _FIRST_BYTES, output_field=BinaryField()))
        .order_by("-question__created_at", "-question_id")
        .values("pk", "question_id", "words", "question__language", "question__created_at", *_COLUMNS)
    )
    return [
        HistoryRow(
            plan_id=row["pk"],
            question_id=row["question_id"],
            words=None if row["words"] is None else bytes(row["words"]),
            language=row["question__language"],
            asked_at=row["question__created_at"],
            domains=row["domains"],
            confidence=row["confidence"],
            corrected=row["corrects_id"] is not None,
        )
        for row in values[:limit]
    ]


def plan_shown(user: User, plan_id: uuid.UUID) -> QueryPlan:
    """A plan of a user with its question, its pack's name, and the plans before and after it, in one query.

    Raises `QueryPlan.DoesNotExist`, also for a plan of another user.
    """
    related = ("question", "pack", "corrected_by")
    return (
        _own(user).select_related(*related).defer("pack__content", "reading", "corrected_by__reading").get(pk=plan_id)
    )


def plans_of_question(plan: QueryPlan) -> list[QueryPlan]:
    """All plans of the question of a plan, the first one first. No query for a question without correction."""
    if plan.corrects_id is None and not hasattr(plan, "corrected_by"):
        return [plan]
    rows = QueryPlan.objects.filter(question_id=plan.question_id).only("domains", "created_at", "corrects")
    return list(rows.order_by("created_at"))


def entry_of_plan(plan: QueryPlan) -> AuditEntry | None:
    """The first audit entry of a plan, with the head of its chain."""
    entries = AuditEntry.objects.filter(query_plan=plan).select_related("chain")
    snapshots = ("plan_snapshot", "decision_snapshot", "output_snapshot")
    return entries.defer(*snapshots).order_by("stored_at", "seq").first()


def _own(user: User) -> QuerySet[QueryPlan]:
    return QueryPlan.objects.filter(question__user=user)
