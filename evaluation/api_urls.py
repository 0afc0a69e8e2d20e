from django.urls import path

from evaluation import api

urlpatterns = [
    path("plans/<uuid:plan_id>/evaluations/", api.EvaluationsView.as_view(), name="plan_evaluations"),
    path("evaluations/<uuid:evaluation_id>/", api.EvaluationView.as_view(), name="evaluation"),
]
