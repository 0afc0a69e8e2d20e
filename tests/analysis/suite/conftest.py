"""The tables of the suite, opened once, and vectors that need no database."""

from collections.abc import Iterator

import pytest
from django.test import override_settings

from tests.analysis.suite.rows import Tables, tables_opened


@pytest.fixture(scope="package", autouse=True)
def _vectors_without_a_database() -> Iterator[None]:
    with override_settings(EMBEDDING_CACHE_ROWS=0):
        yield


@pytest.fixture(scope="package")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tables]:
    with tables_opened(tmp_path_factory.mktemp("suite")) as opened:
        yield opened
