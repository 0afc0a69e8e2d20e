"""Asking: a question is read without a transaction, then stored with plan, audit entry and event, or not at all."""

import secrets
import uuid

import structlog
from django.db import DatabaseError, transaction
from django.utils import timezone
from django.utils.translation import get_language

from accounts.models import User
from accounts.services import person_stays
from core.errors import RowThere
from core.services import row_insert
from routing.errors import AuditWriteFailed, ConsultFailed, PackRefused, QueryPlanInvalid
from routing.models import AuditEntry, QueryPlan, Question
from routing.router import Routed, Router
from routing.services.auditing import entry_write, message_digest
from routing.services.opinions import router_for
from routing.services.recording import event_append, failure_write, fault_of, plan_write, versions_of
from telemetry.contracts import EventName

_log = structlog.get_logger(__name__)


def question_ask(
    *,
    user: User,
    message: str,
    domain_hint: str = "auto",
    mode: str | None = None,
    request_key: str = "",
    router: Router | None = None,
) -> QueryPlan:
    """The plan of a question, stored with its audit entry. A repeated `request_key` of a user gives the same plan.

    Any message gives a plan. Raises `QueryPlanInvalid` for an unknown hint or mode, and nothing is stored;
    `ConsultFailed` when reading failed, with an audit entry; and `AuditWriteFailed` when the entry could not be
    written, and nothing is stored. No transaction is open while the question is read. A message of unclear language is
    answered in that of the request.
    """
    if earlier := _plan_of_key(user, request_key):
        return earlier
    question = _question(user, message, request_key)
    correlation_id = uuid.uuid4()
    router = router or router_for(user, correlation_id)
    try:
        routed = router.routed(message, domain_hint, mode, otherwise=get_language() or "en")
    except QueryPlanInvalid:
        raise
    except Exception as error:
        _log.error("a question could not be read", question=str(question.pk), fault=fault_of(error))
        _failure_store(question, correlation_id, f"{type(error).__name__} while the question was read")
        raise ConsultFailed("The question could not be read; that is on record.") from error
    return _store(question, correlation_id, routed, router)


def _plan_of_key(user: User, request_key: str) -> QueryPlan | None:
    """The plan of the first request with this key; a question that failed may be asked again with its key."""
    plans = QueryPlan.objects.filter(question__user=user, question__request_key=request_key, corrects__isnull=True)
    return plans.first() if request_key else None


def _question(user: User, message: str, request_key: str) -> Question:
    salt, words = secrets.token_bytes(16), str(message).encode("utf-8", "surrogatepass")
    return Question(
        user=user,
        message=words,
        salt=salt,
        digest=message_digest(salt, words),
        language="",
        request_key=request_key,
        created_at=timezone.now(),
    )


def _store(question: Question, correlation_id: uuid.UUID, routed: Routed, router: Router) -> QueryPlan:
    try:
        with transaction.atomic():
            _hold(question)
            question.language = routed.language
            row_insert(question)
            row = plan_write(question=question, routed=routed, router=router, correlation_id=correlation_id)
            entry_write(
                question=question,
                status=AuditEntry.Status.SUCCESS,
                plan=row,
                versions=versions_of(routed, router),
                warnings=routed.warnings,
                model_used=routed.model_used,
                correlation_id=correlation_id,
                now=row.created_at,
            )
            event_append(row, EventName.QUERY_PLANNED)
    except PackRefused as error:  # another pack is stored under this name and version
        _log.error("a query plan was made with a pack that cannot be", reason=error.message)
        _failure_store(question, correlation_id, f"The pack cannot be used: {error.message}")
        raise ConsultFailed("The question could not be read; that is on record.") from error
    except (DatabaseError, RowThere) as error:
        if isinstance(error, RowThere) and (earlier := _plan_of_key(question.user, question.request_key)):
            return earlier  # a second click was faster
        _log.error("a query plan could not be put on record", question=str(question.pk), fault=fault_of(error))
        raise AuditWriteFailed("The plan could not be put on record, so it is not given.") from error
    return row


def _hold(question: Question) -> None:
    """Lock the user: an erasure waits for the question. Raises `ConsultFailed` after an erasure."""
    if not person_stays(user_id=question.user_id):
        raise ConsultFailed("Whoever asked is gone.")


def _failure_store(question: Question, correlation_id: uuid.UUID, reason: str) -> None:
    """Store a question that could not be read, with its audit entry. Its key is free for another try."""
    question.request_key = ""
    try:
        with transaction.atomic():
            _hold(question)
            question.save(force_insert=True)
            failure_write(question=question, correlation_id=correlation_id, reason=reason)
    except DatabaseError as error:
        raise AuditWriteFailed("What went wrong could not be put on record.") from error
