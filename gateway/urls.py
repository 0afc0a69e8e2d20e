from django.contrib import admin
from django.urls import path

from gateway import money_views

app_name = "gateway"
urlpatterns = [
    path("dashboard/money/", admin.site.admin_view(money_views.money), name="money"),
]
