"""What the pages for authors have in common."""

from typing import Any

from django.contrib import admin
from django.db.models import Exists, Model, OuterRef, QuerySet, TextChoices
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.models import User
from lesson_engine.models import LessonVersion, Publication

asks_first = require_http_methods(["GET", "HEAD", "POST"])
shows_only = require_http_methods(["GET", "HEAD"])


def author_page(
    request: HttpRequest,
    model: type[Model],
    name: str,
    title: str | Promise,
    context: dict[str, Any],
    *,
    status: int = 200,
) -> HttpResponse:
    """The template `name` of ours as a page of the admin, below the list of `model`."""
    shared = {**admin.site.each_context(request), "title": title, "opts": model._meta}
    return render(request, f"admin/lesson_engine/{name}.html", {**shared, **context}, status=status)


def author_of(request: HttpRequest) -> User:
    """The sender, who is of the staff, as these pages are for staff alone. Any of them may author."""
    assert isinstance(request.user, User)
    return request.user


def version_or_404(version_id: int) -> LessonVersion:
    """The version, with its lesson and the current one, without their files. One query."""
    versions = LessonVersion.objects.select_related("lesson__current")
    slim = versions.defer("source", "summary", "lesson__current__source", "lesson__current__summary")
    if (version := slim.filter(pk=version_id).first()) is None:
        raise Http404
    return version


class VersionState(TextChoices):
    DRAFT = "draft", pgettext_lazy("lesson version", "draft")
    CURRENT = "current", pgettext_lazy("lesson version", "current")
    FORMER = "former", pgettext_lazy("lesson version", "former")


def with_state(versions: QuerySet[LessonVersion]) -> QuerySet[LessonVersion]:
    """The versions, with what `state_of` needs of each."""
    published = Publication.objects.filter(version=OuterRef("pk"))
    return versions.select_related("lesson").annotate(was_published=Exists(published))


def state_of(version: LessonVersion) -> VersionState:
    """The state of a version from `with_state`."""
    if version.lesson.current_id == version.pk:
        return VersionState.CURRENT
    return VersionState.FORMER if getattr(version, "was_published") else VersionState.DRAFT  # noqa: B009 - annotated
