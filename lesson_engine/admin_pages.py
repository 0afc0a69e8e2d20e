"""What pages of the administration share."""

from django.urls import reverse

from core.admin_tools import link
from lesson_engine.models import LessonVersion


def version_link(version: LessonVersion) -> str:
    """A link to the page of a version."""
    return link(reverse("admin:lesson_engine_lessonversion_change", args=[version.pk]), str(version))
