from django.urls import path

from evaluation.api import views

urlpatterns = [
    path("plans/<uuid:plan_id>/evaluations/", views.EvaluationsView.as_view(), name="plan_evaluations"),
    path("evaluations/<uuid:evaluation_id>/", views.EvaluationView.as_view(), name="evaluation"),
]
