"""Writes of core."""

from datetime import timedelta

from django.contrib.sessions.models import Session as BrowserSession
from django.db import connection
from django.db.models import Model
from django.db.models.constants import OnConflict
from django.db.models.sql import InsertQuery
from django.utils import timezone

from core.api.idempotency import KEPT, owner_of
from core.errors import RowThere
from core.models import Heartbeat, IdempotentRequest, RateWindow

BROKER_KEEPS = timedelta(hours=1)
WINDOWS_KEPT = timedelta(days=1, minutes=10)
"""The longest window is a day."""


def row_insert(row: Model) -> None:
    """Insert a new row, as `save(force_insert=True)` does, where two at once are expected to try. One statement.

    Raises `RowThere` when one with the same unique values is there, or comes first. The database has no error then: it
    logs none, and a transaction goes on. No signals are sent.
    """
    options = row._meta
    fields = [field for field in options.local_concrete_fields if field is not options.auto_field]
    query = InsertQuery(type(row), on_conflict=OnConflict.IGNORE)
    query.insert_values(fields, [row])
    compiler = query.get_compiler(connection=connection)
    compiler.returning_fields = [options.pk]
    with connection.cursor() as cursor:
        cursor.execute(*compiler.as_sql()[0])
        key = cursor.fetchone()
    if key is None:
        raise RowThere(options.label)
    row.pk, row._state.adding, row._state.db = key[0], False, connection.alias


def heartbeat_record(*, name: str) -> None:
    """Note that processes of this kind are alive now."""
    beat = Heartbeat(name=name, at=timezone.now())
    Heartbeat.objects.bulk_create([beat], update_conflicts=True, unique_fields=["name"], update_fields=["at"])


def broker_purge() -> int:
    """Delete messages that the database broker delivered and keeps for ever, and return how many there were.

    A no-op with another broker. Delivered messages stay an hour, in case an operator wants to look at them.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM kombu_message WHERE NOT visible AND timestamp < %s",
            [timezone.now().replace(tzinfo=None) - BROKER_KEEPS],
        )
        return int(cursor.rowcount)


def browser_sessions_purge() -> int:
    """Delete expired sign-ins and return how many there were."""
    return BrowserSession.objects.filter(expire_date__lt=timezone.now()).delete()[0]


def requests_purge() -> int:
    """Delete answers kept for `Idempotency-Key` longer than a day and windows of requests long over; how many."""
    now = timezone.now()
    answers = IdempotentRequest.objects.filter(created_at__lt=now - KEPT).delete()[0]
    return answers + RateWindow.objects.filter(started_at__lt=now - WINDOWS_KEPT).delete()[0]


def requests_forget(*, user_id: int) -> int:
    """Delete every answer kept for a user's `Idempotency-Key`, for they may quote a person; how many there were.

    One that is being worked on keeps nothing when it is done. The same request sent again runs again.
    """
    return IdempotentRequest.objects.filter(owner=owner_of(user_id)).delete()[0]
