"""Corrections of a plan's domain: another plan, linked, and an example that staff accept or dismiss."""

import uuid

import structlog
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.services import person_stays
from routing.contracts.values import DOMAIN_KEYS
from routing.errors import AuditWriteFailed, ConsultFailed, CorrectionRefused, PackRefused
from routing.models import AuditEntry, LabelledExample, QueryPlan, Question
from routing.router import Router, router_shipped
from routing.services.auditing import entry_write
from routing.services.recording import event_append, failure_write, fault_of, plan_write, versions_of
from routing.understanding.phrases import LAB
from telemetry.contracts import EventName


@transaction.atomic
def example_review(*, example_id: int, accept: bool, by: User) -> LabelledExample:
    """Accept or dismiss an example, also a reviewed one. Raises `LabelledExample.DoesNotExist`."""
    example = LabelledExample.objects.select_for_update(of=("self",)).get(pk=example_id)
    example.state = LabelledExample.State.ACCEPTED if accept else LabelledExample.State.DISMISSED
    example.reviewed_by, example.reviewed_at = by, timezone.now()
    example.save()
    return example


_log = structlog.get_logger(__name__)


def plan_correct(*, plan_id: uuid.UUID, domain: str, by: User, router: Router | None = None) -> QueryPlan:
    """The plan of the same question with another domain. A repeated correction gives the plan that exists.

    Raises `QueryPlan.DoesNotExist`, `CorrectionRefused` for a plan that was corrected already, for the laboratory, for
    an unknown domain, and for a question whose words were erased; `ConsultFailed`, with an audit entry;
    `AuditWriteFailed`. `by` is the asker or their manager.
    """
    if domain not in DOMAIN_KEYS or domain == LAB:
        raise CorrectionRefused(f"A plan cannot be corrected to {domain!r}.")
    plan = QueryPlan.objects.select_related("question").get(pk=plan_id)
    if earlier := _corrected_to(plan, domain):
        return earlier
    message = plan.question.message
    if message is None:
        raise CorrectionRefused("The words of this question were erased.")
    router = router or router_shipped()
    try:
        routed = router.routed(
            bytes(message).decode("utf-8", "surrogatepass"),
            domain,
            plan.mode,
            insists=True,
            otherwise=plan.question.language,
        )
    except Exception as error:
        raise _failed(plan, error, f"{type(error).__name__} while the question was read again") from error
    try:
        with transaction.atomic():
            if not person_stays(user_id=plan.question.user_id):
                raise CorrectionRefused("The words of this question were erased.")
            # A second click waits. Not for the plan: of what nobody may change nobody can take a lock either.
            Question.objects.select_for_update(no_key=True).get(pk=plan.question_id)
            if earlier := _corrected_to(plan, domain):
                return earlier
            row = plan_write(
                question=plan.question,
                routed=routed,
                router=router,
                correlation_id=plan.correlation_id,
                corrects=plan,
            )
            _label(plan, row, domain)
            entry_write(
                question=plan.question,
                status=AuditEntry.Status.SUCCESS,
                plan=row,
                versions=versions_of(routed, router),
                correlation_id=plan.correlation_id,
                now=row.created_at,
            )
            data = {"corrects": str(plan.pk), "was": plan.domains[0], "by": str(by.pk)}
            event_append(row, EventName.QUERY_CORRECTED, data=data)
    except PackRefused as error:  # another pack is stored under this name and version
        raise _failed(plan, error, f"The pack cannot be used: {error.message}") from error
    except DatabaseError as error:
        raise AuditWriteFailed("The correction could not be put on record, so it is not made.") from error
    return row


def _failed(plan: QueryPlan, error: Exception, reason: str) -> ConsultFailed:
    """The error to raise, after its audit entry is written. Raises `AuditWriteFailed` where it cannot be."""
    _log.error("a query plan could not be corrected", plan=str(plan.pk), fault=fault_of(error))
    try:
        with transaction.atomic():
            failure_write(question=plan.question, correlation_id=plan.correlation_id, reason=reason)
    except DatabaseError as error:
        raise AuditWriteFailed("What went wrong could not be put on record.") from error
    return ConsultFailed("The question could not be read again; that is on record.")


def _corrected_to(plan: QueryPlan, domain: str) -> QueryPlan | None:
    """The plan of an earlier correction to this domain, or the plan itself where it is that correction."""
    later = QueryPlan.objects.filter(corrects=plan).first()
    if later is None:
        if plan.domains[0] != domain:
            return None
        if plan.corrects_id is not None:
            return plan
        raise CorrectionRefused(f"The plan has {domain} first already.")
    if later.domains[0] == domain:
        return later
    raise CorrectionRefused("This plan was corrected already; correct the latest one.")


def _label(plan: QueryPlan, row: QueryPlan, domain: str) -> None:
    """Store an example for staff. The last correction of a question counts, and waits anew; one back to the router's
    domain deletes the example.
    """
    if LabelledExample.objects.filter(question=plan.question, was=domain).delete()[0]:
        return
    LabelledExample.objects.update_or_create(
        question=plan.question,
        defaults={
            "plan": row,
            "domain": domain,
            "state": LabelledExample.State.WAITS,
            "reviewed_by": None,
            "reviewed_at": None,
        },
        create_defaults={"plan": row, "was": plan.domains[0], "domain": domain, "created_at": row.created_at},
    )
