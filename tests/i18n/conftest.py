"""What tests of translations leave behind as they found it."""

from collections.abc import Iterator

import pytest
from django.utils import translation


@pytest.fixture(autouse=True)
def _language_as_before() -> Iterator[None]:
    """A request leaves its language behind in the thread."""
    language = translation.get_language()
    yield
    translation.activate(language or "en")
