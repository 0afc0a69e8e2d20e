from django.urls import path

from telemetry.api import views

urlpatterns = [
    path("telemetry/events/", views.EventsView.as_view(), name="telemetry_events"),
    path("telemetry/events.jsonl", views.EventLinesView.as_view(), name="telemetry_export"),
]
