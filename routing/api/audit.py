"""The audit trail of the consult for programs: reading and verifying entries."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from rest_framework.request import Request

from accounts.api.sender import sender_of, staff_asks
from accounts.models import Scope
from core.api.base import ApiView, Page, operation
from routing.api.audit_contracts import AuditEntriesQuery, AuditEntryDetail, AuditVerification
from routing.api.examples import ENTRY_EXAMPLE, VERIFICATION_EXAMPLE
from routing.api.values import audit_entry_detail, audit_verification
from routing.audit.document import entry_standing
from routing.models import AuditEntry
from routing.selectors import entries_of

TAG = "Consult"


class AuditEntriesView(ApiView):
    required_scopes = {"GET": Scope.AUDIT_READ}

    @operation(
        id="audit_entry_list",
        summary="List audit entries",
        tag=TAG,
        response=Page[AuditEntryDetail],
        query=AuditEntriesQuery,
        example={"items": [ENTRY_EXAMPLE], "next": None},
    )
    def get(self, request: Request) -> HttpResponse:
        """The entries on what you asked and on what the learners whom you manage asked, the latest first, each whole.
        Staff see all; from a browser they do after their second factor.

        What came of one question has one `correlation_id`: its first plan, and each correction.
        """
        query = self.query(AuditEntriesQuery)
        rows = _whole(_visible(request).filter(**_filters(query)))
        return self.page(query, rows, audit_entry_detail, ordering="-timestamp")


class AuditEntryView(ApiView):
    required_scopes = {"GET": Scope.AUDIT_READ}

    @operation(
        id="audit_entry_read",
        summary="Read an audit entry",
        tag=TAG,
        response=AuditEntryDetail,
        example=ENTRY_EXAMPLE,
    )
    def get(self, request: Request, audit_entry_id: UUID) -> HttpResponse:
        """What was asked, understood, decided and said, as it was written then. An entry never changes, but for the
        question's words, which are null once whoever asked is erased; their digest stays.

        `query_plan`, `governor_decision` and `synthesizer_output` are as `/schemas/query-plan/1/schema.json`,
        `/schemas/governor-decision/1/schema.json` and `/schemas/synthesizer-output/1/schema.json` describe them.
        """
        return self.answer(audit_entry_detail(_entry(_whole(_visible(request)), audit_entry_id)))


class AuditVerificationView(ApiView):
    required_scopes = {"GET": Scope.AUDIT_READ}

    @operation(
        id="audit_entry_verify",
        summary="Verify an audit entry",
        tag=TAG,
        response=AuditVerification,
        example=VERIFICATION_EXAMPLE,
    )
    def get(self, request: Request, audit_entry_id: UUID) -> HttpResponse:
        """Check the whole chain that the entry stands in, now: checksums, signatures, links, and that plans and
        questions are still those on record. Says whether the chain is whole, or where it breaks first, and when it was
        last found whole. What the check finds is noted for staff; nothing else changes.
        """
        # Of a forged entry the rest may be unreadable.
        entry = _entry(_visible(request).only("chain_id", "seq"), audit_entry_id)
        return self.answer(audit_verification(entry, entry_standing(entry)))


def _visible(request: Request) -> QuerySet[AuditEntry]:
    """All for staff, in a browser after their second factor; for others those of `entries_of`."""
    return AuditEntry.objects.all() if staff_asks(request) else entries_of(sender_of(request))


def _whole(rows: QuerySet[AuditEntry]) -> QuerySet[AuditEntry]:
    """With their questions, which are part of the documented form."""
    return rows.select_related("question").defer("question__salt")


def _filters(query: AuditEntriesQuery) -> dict[str, Any]:
    values = {
        "status": query.status,
        "correlation_id": query.correlation_id,
        "query_plan_id": query.query_plan_id,
        "question__user__pseudonym": query.learner,
        "timestamp__gte": query.since,
        "timestamp__lt": query.until,
    }
    return {name: value for name, value in values.items() if value is not None}


def _entry(rows: QuerySet[AuditEntry], audit_entry_id: UUID) -> AuditEntry:
    """404 for one that is not among them, whether it exists or not."""
    row = rows.filter(pk=audit_entry_id).first()
    if row is None:
        raise Http404("There is no such audit entry, or it is not yours.")
    return row
