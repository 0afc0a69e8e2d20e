from django.urls import path

from planning.api import views

urlpatterns = [
    path("plans/", views.PlansView.as_view(), name="plans"),
    path("plans/<uuid:plan_id>/", views.PlanView.as_view(), name="plan"),
]
