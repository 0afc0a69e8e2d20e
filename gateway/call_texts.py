"""What models were sent and said: hashes and sizes always, the text only where `MODEL_TEXT_LOG` allows it."""

import uuid
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from gateway.models import CallText

_SALT = "gateway.call_texts"
_PURGED_AT_ONCE = 5_000


def digest_of(text: str) -> str:
    """HMAC-SHA-256 keyed with the secret key, in hex: two equal prompts are seen to be equal, and none is guessed."""
    return salted_hmac(_SALT, text, algorithm="sha256").hexdigest()


def size_of(text: str) -> int:
    """Bytes in UTF-8."""
    return len(text.encode(errors="replace"))


def text_keep(*, hold_id: uuid.UUID, prompt: str, reply: str) -> None:
    """Keep the text of a call for `MODEL_TEXT_DAYS`; nothing happens where `MODEL_TEXT_LOG` is off."""
    if not settings.MODEL_TEXT_LOG:
        return
    until = timezone.now() + timedelta(days=settings.MODEL_TEXT_DAYS)
    kept = {"prompt": _storable(prompt), "reply": _storable(reply), "kept_until": until}
    CallText.objects.update_or_create(hold_id=hold_id, defaults=kept)


def texts_erase(*, user_id: int) -> int:
    """Erase the texts of all calls that were made for a user, and return how many."""
    return _erase(CallText.objects.filter(hold__user_id=user_id, erased_at__isnull=True), timezone.now())


def text_erase(*, hold_id: uuid.UUID) -> bool:
    """Erase the text of one call, and return whether there was one."""
    return _erase(CallText.objects.filter(pk=hold_id, erased_at__isnull=True), timezone.now()) > 0


def texts_purge() -> int:
    """Erase texts that were kept for long enough, and return how many."""
    now = timezone.now()
    due = CallText.objects.filter(erased_at__isnull=True, kept_until__lt=now).order_by("kept_until")
    return _erase(CallText.objects.filter(pk__in=due.values("pk")[:_PURGED_AT_ONCE]), now)


def _erase(rows: QuerySet[CallText], now: datetime) -> int:
    return rows.update(prompt=None, reply=None, erased_at=now)


def _storable(text: str) -> str:
    """Without what PostgreSQL cannot hold."""
    return text.replace("\x00", "").encode(errors="replace").decode()
