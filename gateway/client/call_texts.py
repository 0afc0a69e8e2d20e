"""What models were sent and said: hashes and sizes always, the text only where `MODEL_TEXT_LOG` allows it."""

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import User
from gateway.models import CallText, Hold

_SALT = "gateway.call_texts"
_PURGED_AT_ONCE = 5_000


class KeptText(NamedTuple):
    """A text that is there, by its call, and what that was for."""

    hold_id: uuid.UUID
    chain: str
    subject: str


def digest_of(text: str) -> str:
    """HMAC-SHA-256 keyed with the secret key, in hex: two equal prompts are seen to be equal, and none is guessed."""
    return salted_hmac(_SALT, text, algorithm="sha256").hexdigest()


def size_of(text: str) -> int:
    """Bytes in UTF-8."""
    return len(text.encode(errors="replace"))


def text_keep(*, hold_id: uuid.UUID, prompt: str, reply: str) -> None:
    """Keep the text of a call for `MODEL_TEXT_DAYS`; nothing happens where `MODEL_TEXT_LOG` is off.

    Nor for a user who is erased: of the two at once either this sees it, or the erasing sees the text.
    """
    if not settings.MODEL_TEXT_LOG:
        return
    until = timezone.now() + timedelta(days=settings.MODEL_TEXT_DAYS)
    kept = {"prompt": _storable(prompt), "reply": _storable(reply), "kept_until": until}
    with transaction.atomic():
        # The row that the erasing locks, before anything is looked at.
        users = User.objects.select_for_update(no_key=True, of=("self",))
        payer = users.filter(pk__in=Hold.objects.filter(pk=hold_id).values("user_id")).values_list("erased_at").first()
        if payer is None or payer[0] is None:
            CallText.objects.update_or_create(hold_id=hold_id, defaults=kept)


def call_texts_erase(*, user_id: int) -> int:
    """Erase the texts of all calls that were made for a user, and return how many."""
    return _erase(CallText.objects.filter(hold__user_id=user_id))


def text_erase(*, hold_id: uuid.UUID) -> bool:
    """Erase the text of one call, and return whether there was one."""
    return _erase(CallText.objects.filter(pk=hold_id)) > 0


def call_texts_kept(*, since: datetime) -> list[KeptText]:
    """The texts of calls that were begun since then, and what those were for."""
    texts = CallText.objects.filter(erased_at=None, hold__reserved_at__gte=since)
    return [KeptText(*row) for row in texts.values_list("pk", "hold__chain", "hold__subject")]


def call_texts_erase_of(*, hold_ids: Collection[uuid.UUID]) -> int:
    """Erase the texts of these calls, and return how many there were."""
    return _erase(CallText.objects.filter(pk__in=hold_ids))


def call_texts_purge() -> int:
    """Erase texts that were kept for long enough, and those of users who are erased; return how many."""
    due = CallText.objects.filter(erased_at=None, kept_until__lt=timezone.now()).order_by("kept_until")
    erased = _erase(CallText.objects.filter(hold__user__erased_at__isnull=False))
    return erased + _erase(CallText.objects.filter(pk__in=due.values("pk")[:_PURGED_AT_ONCE]))


def _erase(rows: QuerySet[CallText]) -> int:
    with transaction.atomic():
        # Always in one order: two that erase some of the same cannot stop each other.
        locked = rows.filter(erased_at=None).order_by("pk").select_for_update(of=("self",))
        ids = list(locked.values_list("pk", flat=True))
        return CallText.objects.filter(pk__in=ids).update(prompt=None, reply=None, erased_at=timezone.now())


def _storable(text: str) -> str:
    """Without what PostgreSQL cannot hold."""
    return text.replace("\x00", "").encode(errors="replace").decode()
