from django.contrib import admin
from django.urls import path

from reflection.board import views

app_name = "reflection"
urlpatterns = [
    path("dashboard/reflections/", admin.site.admin_view(views.quality), name="quality"),
]
