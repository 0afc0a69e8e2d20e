from django.contrib import admin
from django.urls import path

from reflection import quality_views

app_name = "reflection"
urlpatterns = [
    path("dashboard/reflections/", admin.site.admin_view(quality_views.quality), name="quality"),
]
