"""What tests of Analyze share."""

from collections.abc import Iterator

import pytest
from django.conf import settings


@pytest.fixture(autouse=True, scope="module")
def _no_vectors_are_kept() -> Iterator[None]:
    """Analyze works without a database, as in a bare clone: vectors are computed here, and none are looked for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "EMBEDDING_CACHE_ROWS", 0)
        yield
