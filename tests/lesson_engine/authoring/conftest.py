"""An author at the admin, and lessons in several versions."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from accounts.models import Role, User
from lesson_engine.models import LessonVersion
from lesson_engine.services.lessons import lesson_upload
from tests.conftest import lesson_data

MakeDraft = Callable[..., LessonVersion]


def source_of(*steps: dict[str, Any], **changes: Any) -> bytes:
    """The bytes of a small lesson made by `lesson_data`."""
    return json.dumps(lesson_data(*steps, **changes), indent=1).encode()


@pytest.fixture
def author(db: None) -> User:
    """Somebody of the staff, without any right but the role."""
    return User.objects.create_user("vera", password="correct horse battery", role=Role.STAFF, is_staff=True)


@pytest.fixture
def desk(author: User, client: Client) -> Client:
    """A browser in which the author is signed in."""
    client.force_login(author, backend="django.contrib.auth.backends.ModelBackend")
    ContentType.objects.get_for_models(*apps.get_models())  # a process asks for them once; counted pages come after
    return client


@pytest.fixture
def make_draft(author: User) -> MakeDraft:
    """Upload a small lesson made by `lesson_data`, without publishing it."""

    def make(*steps: dict[str, Any], **changes: Any) -> LessonVersion:
        return lesson_upload(source=source_of(*steps, **changes), by=author).version

    return make
