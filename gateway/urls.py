from django.contrib import admin
from django.urls import path

from gateway.board.money import money

app_name = "gateway"
urlpatterns = [
    path("dashboard/money/", admin.site.admin_view(money), name="money"),
]
