"""Query plans and audit entries as the API shows them."""

from typing import Any
from uuid import UUID

import pydantic
from django.db.models import BinaryField, F, OuterRef, QuerySet, Subquery
from django.db.models.functions import Substr

from routing.api.audit_contracts import AuditEntryDetail, AuditFault, AuditVerification
from routing.api.contracts import EXCERPT_LENGTH, QueryPlanDetail, QueryPlanItem, QueryPlanReading, QueryPlanVersions
from routing.audit.document import Standing, entry_document, in_order
from routing.contracts import QueryPlan as Plan
from routing.contracts.reading import Reading
from routing.models import AuditEntry, QueryPlan

_BYTES_OF_A_CHARACTER = 4  # of UTF-8, at most
_FIRST_ENTRY = AuditEntry.objects.filter(query_plan=OuterRef("pk")).order_by("seq").values("pk")[:1]


def with_item(rows: QuerySet[QueryPlan]) -> QuerySet[QueryPlan]:
    """With what `query_plan_item` needs, and without what may be long."""
    start = Substr("question__message", 1, EXCERPT_LENGTH * _BYTES_OF_A_CHARACTER, output_field=BinaryField())
    slim = rows.select_related("question").defer("question__message", "question__salt", "plan", "reading")
    return slim.annotate(message_start=start, corrected_by_id=F("corrected_by__id"))


def with_detail(rows: QuerySet[QueryPlan]) -> QuerySet[QueryPlan]:
    """With what `query_plan_detail` needs."""
    slim = rows.select_related("question", "pack").defer("question__salt", "pack__content")
    return slim.annotate(corrected_by_id=F("corrected_by__id"), entry_id=Subquery(_FIRST_ENTRY))


def query_plan_item(row: Any) -> QueryPlanItem:
    """A plan of `with_item` in short."""
    start = row.message_start
    return QueryPlanItem(**_short(row, None if start is None else bytes(start).decode("utf-8", "replace")))


def query_plan_detail(row: Any) -> QueryPlanDetail:
    """A plan of `with_detail`, whole."""
    message = row.question.text
    return QueryPlanDetail(
        **_short(row, message),
        message=message,
        plan=in_order(row.plan, Plan),
        reading=_reading(row.reading),
        versions=QueryPlanVersions(
            schema_version=row.schema_version,
            router=row.router_version,
            pack=str(row.pack),
            pack_digest=row.pack.digest,
            phase=row.phase,
        ),
        model=row.model_used or None,
        audit_entry_id=row.entry_id,
    )


def audit_entry_detail(entry: AuditEntry) -> AuditEntryDetail:
    """An entry in the documented form; needs its `question`."""
    return AuditEntryDetail.model_validate(entry_document(entry))


def audit_verification(entry: AuditEntry, standing: Standing) -> AuditVerification:
    """Whether an entry holds, and its chain."""
    fault = standing.check.fault
    faulty_id = fault.row_id if fault and isinstance(fault.row_id, UUID) else None
    return AuditVerification(
        entry_id=entry.pk,
        seq=entry.seq,
        holds=standing.entry_holds,
        chain=entry.chain_id,
        chain_whole=standing.whole,
        entries=standing.check.length,
        fault=AuditFault.from_object(fault, entry_id=faulty_id) if fault else None,
        verified_at=standing.verified_at,
        verified_entries=standing.verified_length,
    )


def _short(row: Any, message: str | None) -> dict[str, Any]:
    others = {
        "excerpt": None if message is None else message[:EXCERPT_LENGTH],
        "language": row.question.language,
        "corrects": row.corrects_id,
        "corrected_by": row.corrected_by_id,
    }
    return others | {name: getattr(row, name) for name in QueryPlanItem.model_fields if name not in others}


def _reading(stored: Any) -> QueryPlanReading | None:
    try:
        reading = Reading.model_validate(stored)
    except pydantic.ValidationError:
        return None
    return QueryPlanReading.from_object(reading, shares=reading.scores, keywords=reading.found)
