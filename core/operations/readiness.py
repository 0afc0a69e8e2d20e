"""What /readyz asks: a registry of checks that layers above fill, and the checks of database, migrations and worker."""

from collections.abc import Callable
from datetime import timedelta
from functools import cache

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from core.models import Heartbeat

Check = Callable[[], str | None]
"""Returns None when all is well, otherwise one line that says what is missing."""

_checks: dict[str, Check] = {}


def register(name: str, check: Check) -> None:
    """Add a check under a unique name; call it from `AppConfig.ready()`."""
    _checks[name] = check


def report() -> dict[str, str | None]:
    """Every check with its complaint, or None where there is none. A check that fails with an error complains too."""
    return {name: _complaint(check) for name, check in _checks.items()}


def _complaint(check: Check) -> str | None:
    try:
        return check()
    except Exception as error:  # whatever is wrong with a part, the answer is "not ready", never a broken page
        return f"{type(error).__name__}"


HEARTBEAT_TOLERANCE = timedelta(seconds=60)


def database() -> str | None:
    """Whether the database answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return None


def migrations() -> str | None:
    """Whether the schema is this code's. Once it was, it is not asked again: code does not change while it runs."""
    try:
        _schema_is_current()
    except LookupError as error:
        return str(error)
    return None


@cache
def _schema_is_current() -> None:
    executor = MigrationExecutor(connection)
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if pending:
        raise LookupError(f"{len(pending)} migrations have not been applied")


def worker() -> str | None:
    """Whether a worker reported in within the tolerance."""
    beat = Heartbeat.objects.filter(name="worker").first()
    if beat is None:
        return "no worker has reported in yet"
    age = timezone.now() - beat.at
    return None if age <= HEARTBEAT_TOLERANCE else f"the worker last reported in {int(age.total_seconds())} s ago"
