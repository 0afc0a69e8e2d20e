"""What staff should look at: found when a call is settled, or by beat. Sources: spec/3 "Monitoreo"; RT-009, "Alerts".

An alert is raised once for what it is about, with an event in the chain where it happened.
"""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from gateway.contracts import MICROCENTS, Budget, Settled
from gateway.events import record
from gateway.models import Account, Alert, Hold
from telemetry.contracts import EventDraft, EventLevel, EventName

BUDGET_LOW_SHARE = 0.20
ESCALATIONS_MANY = 3
USER_DAY_HIGH = 700 * MICROCENTS
# In one statement, so that of two at once one raises it; most settlements raise nothing anew.
_RAISE = """
INSERT INTO gateway_alert (kind, key, details, raised_at) VALUES (%s, %s, %s::jsonb, %s)
ON CONFLICT (kind, key) DO NOTHING RETURNING id
"""


def raise_once(kind: Alert.Kind, key: str, details: dict[str, Any], now: datetime) -> EventDraft | None:
    """Store the alert and return its event; None where it was raised before. Needs the caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_RAISE, [kind.value, key[:120], json.dumps(details), now])
        if cursor.fetchone() is None:
            return None
    data = {"kind": kind.value, "about": key[:120], **details}
    return EventDraft(event=EventName.ALERT_RAISED, level=EventLevel.WARNING, data=data)


@transaction.atomic
def alert_raise(*, kind: Alert.Kind, key: str, details: dict[str, Any], now: datetime | None = None) -> bool:
    """Raise an alert for `key` (120 characters of it count) with its event in the gateway's chain; whether it was new.

    `details` are figures, as JSON, without words of people.
    """
    moment = now or timezone.now()
    draft = raise_once(kind, key, details, moment)
    if draft is None:
        return False
    record([draft], now=moment)
    return True


def on_settlement(hold: Hold, settled: Settled, budgets: dict[str, Budget], now: datetime) -> list[EventDraft]:
    """Alerts that this settlement brings about; `budgets` are the accounts after it, by scope."""
    drafts: list[EventDraft | None] = []
    session = budgets.get(Account.Scope.SESSION)
    if session is not None:
        left = session.limit - session.spent  # what others hold at this moment may come back
        if session.limit and left < BUDGET_LOW_SHARE * session.limit:
            low: dict[str, Any] = {"leftMicrocents": left, "limitMicrocents": session.limit}
            drafts.append(raise_once(Alert.Kind.BUDGET_LOW, hold.chain, low, now))
        if session.escalations_used > ESCALATIONS_MANY:
            many = {"escalations": session.escalations_used}
            drafts.append(raise_once(Alert.Kind.ESCALATIONS_MANY, hold.chain, many, now))
    user_day = budgets.get(Account.Scope.USER_DAY)
    if user_day is not None and user_day.spent > USER_DAY_HIGH:
        day = hold.reserved_at.astimezone(UTC).date().isoformat()
        high: dict[str, Any] = {"spentMicrocents": user_day.spent, "user": hold.user_id, "day": day}
        drafts.append(raise_once(Alert.Kind.USER_DAY_HIGH, f"{hold.user_id}:{day}", high, now))
    if settled.overrun:
        over = {"model": hold.model, "overrunMicrocents": settled.overrun}
        drafts.append(raise_once(Alert.Kind.OVERRUN, str(hold.pk), over, now))
    return [draft for draft in drafts if draft is not None]


def alert_seen(*, ids: Iterable[int], by: User) -> int:
    """Mark these as seen by a member of staff; return how many were unseen. The first who saw one stays recorded."""
    return Alert.objects.filter(pk__in=list(ids), seen_at=None).update(seen_at=timezone.now(), seen_by=by)
