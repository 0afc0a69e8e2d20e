"""Events of memory. They are rare, so one chain holds them."""

import structlog
from django.db import transaction

from memory.room import RoomFull
from telemetry.contracts import EventDraft, EventLevel, EventName
from telemetry.services import events_append

CHAIN = "memory"
_log = structlog.get_logger(__name__)


@transaction.atomic
def refusal_record(refusal: RoomFull, *, user_id: int) -> None:
    """Write down that a quota refused something, after what it refused was rolled back."""
    data = {"quota": refusal.quota, "used": refusal.used, "limit": refusal.limit, "user": user_id}
    _log.warning("a storage quota is reached", **data)
    draft = EventDraft(event=EventName.QUOTA_EXCEEDED, level=EventLevel.WARNING, data=data)
    events_append(chain=CHAIN, course="", mode="", drafts=[draft])
