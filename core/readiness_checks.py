"""Readiness of what core owns: database, migrations, worker."""

from datetime import timedelta
from functools import cache

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from core.models import Heartbeat

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
