"""What pages of the administration that ask before something is done have in common."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse

from accounts.models import User
from core.admin_tools import ReadOnlyAdmin, link
from lesson_engine.models import LessonVersion


def staff_of(page: ReadOnlyAdmin, request: HttpRequest) -> User:
    """Whoever asks, when they may see what the page is about. Raises `PermissionDenied`."""
    if not page.has_view_permission(request) or not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def version_link(version: LessonVersion) -> str:
    """A link to the page of a version."""
    return link(reverse("admin:lesson_engine_lessonversion_change", args=[version.pk]), str(version))
