from django.contrib import admin
from django.urls import path

from routing import consult_views

app_name = "consult"
urlpatterns = [
    path("dashboard/consult/", admin.site.admin_view(consult_views.board), name="board"),
]
