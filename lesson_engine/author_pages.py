"""What the pages for authors have in common."""

from typing import Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from accounts.models import User

asks_first = require_http_methods(["GET", "HEAD", "POST"])
shows_only = require_http_methods(["GET", "HEAD"])


def author_page(
    request: HttpRequest, model: type[Model], name: str, title: str, context: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    """The template `name` of ours as a page of the admin, below the list of `model`."""
    shared = {**admin.site.each_context(request), "title": title, "opts": model._meta}
    return render(request, f"admin/lesson_engine/{name}.html", {**shared, **context}, status=status)


def author_of(request: HttpRequest) -> User:
    """Whoever asks: staff, since the door of these pages lets in nobody else. Any of them may author."""
    assert isinstance(request.user, User)
    return request.user
