"""Staff at the administration, and months without shares."""

import pytest
from django.apps import apps
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from pytest_django import Settings

from accounts.models import User


@pytest.fixture
def desk(staff: User, client: Client) -> Client:
    """A browser in which staff is signed in."""
    client.force_login(staff, backend="django.contrib.auth.backends.ModelBackend")
    ContentType.objects.get_for_models(*apps.get_models())  # a process asks for them once; counted pages come after
    return client


@pytest.fixture
def whole_months(settings: Settings) -> None:
    """Nobody's share of a month is less than the month: for tests of what is beside it."""
    settings.USER_MONTH_SHARE = settings.INTEGRATOR_MONTH_SHARE = settings.GUESTS_MONTH_SHARE = 100
