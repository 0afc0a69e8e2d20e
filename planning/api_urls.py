from django.urls import path

from planning import api

urlpatterns = [
    path("plans/", api.PlansView.as_view(), name="plans"),
    path("plans/<uuid:plan_id>/", api.PlanView.as_view(), name="plan"),
]
