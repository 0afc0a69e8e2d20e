"""Lessons, courses, sessions and reports in the administration. Each module registers its pages."""

from lesson_engine.admin import courses, lessons, reports, reviews, sessions  # noqa: F401
