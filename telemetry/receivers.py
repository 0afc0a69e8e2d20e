"""What layers below tell of, on the trail."""

from typing import Any

from accounts.models import User
from telemetry.contracts import ACCOUNTS_CHAIN, EventDraft, EventName
from telemetry.services import events_append


def tokens_ended(sender: Any, user: User, count: int, why: str, **kwargs: Any) -> None:
    """All API tokens of a user were ended at once."""
    draft = EventDraft(event=EventName.TOKENS_REVOKED, data={"user": user.pk, "tokens": count, "why": why})
    events_append(chain=ACCOUNTS_CHAIN, course="", mode="", drafts=[draft])
