"""Programs with tokens, and addresses that show what every view of the API stands on."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache

from accounts.models import Scope, User
from tests.api import probe
from tests.api.sessions import LEARNING, Program, integrator_create

EVERYTHING = (*LEARNING, Scope.TELEMETRY_READ)


@pytest.fixture
def integrator(db: None) -> User:
    """Somebody whose programs drive lessons and read telemetry."""
    return integrator_create()


@pytest.fixture
def reader(integrator: User) -> Program:
    """The integrator's program, with every scope."""
    return Program(integrator, scopes=EVERYTHING)


@pytest.fixture
def probes(settings: object) -> Iterator[probe.Runs]:
    """Adds the addresses below `/api/v1/probe/`, and counts how often one was run."""
    settings.ROOT_URLCONF = "tests.api.probe"  # type: ignore[attr-defined]
    probe.runs.clear()
    yield probe.runs
    probe.runs.clear()
    cache.clear()
