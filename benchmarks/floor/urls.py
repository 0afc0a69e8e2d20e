from django.urls import path

from benchmarks.floor.views import statements
from core.views import healthz

urlpatterns = [
    path("healthz", healthz),
    path("<slug:way>/<slug:kind>/<int:learner>", statements),
]
