from django.contrib import admin
from django.urls import path

from telemetry import views

app_name = "telemetry"
urlpatterns = [
    path("dashboard/", admin.site.admin_view(views.dashboard), name="dashboard"),
    path("exports/", admin.site.admin_view(views.exports), name="exports"),
]
