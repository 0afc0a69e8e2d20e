"""The API: what each app offers, under one version."""

from django.urls import include, path

from core.api_docs import SchemaView, console, docs

_apps = [
    path("", include("lesson_engine.api_urls")),
    path("", include("accounts.api_urls")),
    path("", include("gateway.api_urls")),
    path("", include("planning.api_urls")),
    path("", include("evaluation.api_urls")),
    path("", include("reflection.api_urls")),
    path("", include("routing.api_urls")),
    path("", include("telemetry.api_urls")),
]
urlpatterns = [
    path("api/v1/", include((_apps, "api"))),
    path("api/v1/schema/", SchemaView.as_view(), name="api_schema"),
    path("api/docs/", docs, name="api_docs"),
    path("api/docs/console/", console, name="api_console"),
]
