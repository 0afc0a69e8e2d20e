"""The application's addresses, where the dashboard says again what it said first: no query for any figure."""

from functools import cache

from config.urls import urlpatterns
from telemetry import views
from telemetry.board import forms

__all__ = ("urlpatterns",)

for module, name in ((views, "board_of"), (views, "audit_state"), (forms, "courses")):
    setattr(module, name, cache(getattr(module, name)))
