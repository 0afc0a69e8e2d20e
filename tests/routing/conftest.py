"""What tests of the consult share."""

from collections.abc import Iterator

import pytest
from django.test import override_settings


@pytest.fixture(autouse=True, scope="module")
def _vectors_are_computed() -> Iterator[None]:
    """Packs are read without a database where a test has none: the cache of vectors would ask one."""
    with override_settings(EMBEDDING_CACHE_ROWS=0):
        yield
