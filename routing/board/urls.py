from django.contrib import admin
from django.urls import path

from routing.board import views

app_name = "consult"
urlpatterns = [
    path("dashboard/consult/", admin.site.admin_view(views.board), name="board"),
]
