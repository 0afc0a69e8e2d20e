"""Addresses of the API of accounts, below `/api/v1/`."""

from django.urls import path

from accounts.api import views

urlpatterns = [
    path("learners/erase/", views.EraseLearnerView.as_view(), name="learner_erase"),
]
