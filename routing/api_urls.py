from django.urls import path

from routing import api, api_audit

urlpatterns = [
    path("query-plans/", api.QueryPlansView.as_view(), name="query_plans"),
    path("query-plans/<uuid:query_plan_id>/", api.QueryPlanView.as_view(), name="query_plan"),
    path(
        "query-plans/<uuid:query_plan_id>/corrections/",
        api.QueryPlanCorrectionsView.as_view(),
        name="query_plan_corrections",
    ),
    path("audit-entries/", api_audit.AuditEntriesView.as_view(), name="audit_entries"),
    path("audit-entries/<uuid:audit_entry_id>/", api_audit.AuditEntryView.as_view(), name="audit_entry"),
    path(
        "audit-entries/<uuid:audit_entry_id>/verification/",
        api_audit.AuditVerificationView.as_view(),
        name="audit_verification",
    ),
]
