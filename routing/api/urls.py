from django.urls import path

from routing.api import audit, plans

urlpatterns = [
    path("query-plans/", plans.QueryPlansView.as_view(), name="query_plans"),
    path("query-plans/<uuid:query_plan_id>/", plans.QueryPlanView.as_view(), name="query_plan"),
    path(
        "query-plans/<uuid:query_plan_id>/corrections/",
        plans.QueryPlanCorrectionsView.as_view(),
        name="query_plan_corrections",
    ),
    path("audit-entries/", audit.AuditEntriesView.as_view(), name="audit_entries"),
    path("audit-entries/<uuid:audit_entry_id>/", audit.AuditEntryView.as_view(), name="audit_entry"),
    path(
        "audit-entries/<uuid:audit_entry_id>/verification/",
        audit.AuditVerificationView.as_view(),
        name="audit_verification",
    ),
]
