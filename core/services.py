"""Writes of core."""

from datetime import timedelta

from django.contrib.sessions.models import Session as BrowserSession
from django.db import connection, transaction
from django.utils import timezone

from core.api.idempotency import KEPT, owner_of
from core.models import Heartbeat, IdempotentRequest, RateWindow

BROKER_KEEPS = timedelta(hours=1)
WINDOWS_KEPT = timedelta(minutes=10)


def heartbeat_record(*, name: str) -> None:
    """Note that processes of this kind are alive now."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


@transaction.atomic
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
