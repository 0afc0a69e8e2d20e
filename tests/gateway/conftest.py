"""Staff at the administration."""

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from accounts.models import User


@pytest.fixture
def desk(staff: User, client: Client) -> Client:
    """A browser in which staff is signed in."""
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    ContentType.objects.get_for_models(*apps.get_models())  # a process asks for them once; counted pages come after
    return client
