"""The API: what each app offers, under one version."""

from django.urls import include, path

from core.api.docs.views import SchemaView, console, docs

APPS = ("lesson_engine", "accounts", "gateway", "planning", "evaluation", "reflection", "routing", "telemetry")
urlpatterns = [
    path("api/v1/", include(([path("", include(f"{app}.api.urls")) for app in APPS], "api"))),
    path("api/v1/schema/", SchemaView.as_view(), name="api_schema"),
    path("api/docs/", docs, name="api_docs"),
    path("api/docs/console/", console, name="api_console"),
]
