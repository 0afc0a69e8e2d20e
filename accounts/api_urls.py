"""Addresses of the API of accounts, below `/api/v1/`."""

from django.urls import path

from accounts import api

urlpatterns = [
    path("learners/erase/", api.EraseLearnerView.as_view(), name="learner_erase"),
]
