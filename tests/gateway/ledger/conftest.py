"""Settings of tests of the ledger."""

import pytest
from pytest_django import Settings


@pytest.fixture
def whole_months(settings: Settings) -> None:
    """Nobody's share of a month is less than the month: for tests of what is beside it."""
    settings.USER_MONTH_SHARE = settings.GUESTS_MONTH_SHARE = 100
