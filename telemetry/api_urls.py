from django.urls import path

from telemetry import api

urlpatterns = [
    path("telemetry/events/", api.EventsView.as_view(), name="telemetry_events"),
    path("telemetry/events.jsonl", api.EventLinesView.as_view(), name="telemetry_export"),
]
