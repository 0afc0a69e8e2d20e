"""Events that belong to no session: prices, alerts, breakers, degradation. They are rare, so one chain holds them."""

from collections.abc import Sequence
from datetime import datetime

from telemetry.contracts import EventDraft
from telemetry.services import events_append

CHAIN = "gateway"


def record(drafts: Sequence[EventDraft], *, now: datetime | None = None) -> None:
    """Append to the gateway's own chain, in the transaction of the change that the events describe."""
    events_append(chain=CHAIN, course="", mode="", drafts=drafts, now=now)
