"""Learners' words: kept apart from everything else, and erasable."""

import hashlib
import secrets

from django.db import transaction
from django.utils import timezone

from lesson_engine.contracts import Reply
from lesson_engine.models import LearnerText, Turn


def words_keep(*, turn: Turn, reply: Reply) -> LearnerText:
    """Store what was written with a salt of its own. NUL characters, which PostgreSQL cannot hold, are dropped."""
    words = LearnerText(
        turn=turn,
        text=reply.text.replace("\x00", ""),
        choices=[code.replace("\x00", "") for code in reply.choices],
        salt=secrets.token_bytes(16),
    )
    words.save(force_insert=True)
    return words


def words_digest(words: LearnerText) -> str:
    """SHA-256 of salt and words, for events; it tells nothing once both are erased."""
    digest = hashlib.sha256(bytes(words.salt or b""))
    digest.update("\x00".join([words.text or "", *(words.choices or ())]).encode())
    return digest.hexdigest()


@transaction.atomic
def words_erase(*, user_id: int) -> int:
    """Erase everything a learner wrote and return how many texts that were. Chains and verdicts stay whole."""
    kept = LearnerText.objects.filter(turn__session__user_id=user_id, erased_at__isnull=True)
    return kept.update(text=None, choices=None, salt=None, erased_at=timezone.now())
