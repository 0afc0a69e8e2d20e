"""The pages around lessons: a course, and what to review."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User
from lesson_engine.course_pages import course_page, review_page
from lesson_engine.models import Course


@require_safe
@never_cache
def course(request: HttpRequest, slug: str) -> HttpResponse:
    """A course with the reader's progress, and the one button that leads on."""
    found = get_object_or_404(Course, slug=slug)
    return render(request, "lesson_engine/course.html", {"page": course_page(found, _user(request))})


@require_safe
@never_cache
def review(request: HttpRequest) -> HttpResponse:
    """What is worth another look in everything the reader did."""
    user = _user(request)
    return render(request, "lesson_engine/review.html", {"groups": review_page(user) if user else ()})


def _user(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None
