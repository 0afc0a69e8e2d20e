"""Catalogs are embedded without the database, which tests of narrowing do not have."""

from collections.abc import Iterator

import pytest
from django.test import override_settings


@pytest.fixture(scope="module", autouse=True)
def _vectors_without_a_database() -> Iterator[None]:
    with override_settings(EMBEDDING_CACHE_ROWS=0):
        yield
