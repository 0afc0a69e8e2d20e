"""Events of plans: each plan has a chain of its own."""

import uuid
from datetime import datetime
from typing import Any

from telemetry.contracts import EventDraft, EventLevel, EventName
from telemetry.services import events_append


def chain_of(plan_id: uuid.UUID) -> str:
    """The chain of events of a plan; calls to models that were made for it are told of there too."""
    return f"plan:{plan_id}"


def tell(
    plan_id: uuid.UUID,
    event: EventName,
    data: dict[str, Any],
    now: datetime | None = None,
    level: EventLevel = EventLevel.INFO,
) -> None:
    """Append an event to the plan's chain. Needs the caller's transaction."""
    draft = EventDraft(event=event, level=level, data=data)
    events_append(chain=chain_of(plan_id), course="", mode="", drafts=[draft], now=now)
