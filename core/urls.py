from django.urls import path

from core import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("problems/", views.problems, name="problems"),
    path("problems/<slug:code>/", views.problem, name="problem"),
]
