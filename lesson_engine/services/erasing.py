"""What erasing a learner means for lessons: their words go, what they did stays in sessions and chains."""

import uuid
from collections.abc import Iterable
from contextlib import suppress
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from gateway.services import call_texts_erase_of, call_texts_kept
from lesson_engine.models import Session, Turn
from lesson_engine.services.paying import subject_of
from lesson_engine.services.words import words_erase
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append

_LATE = timedelta(days=2)
_TEXTS_AT_ONCE = 1_000


@transaction.atomic
def learner_words_erase(*, user: User) -> None:
    """Erase what a learner wrote, and say so at the end of the chain of each of their sessions, without a name."""
    words_erase(user_id=user.pk)
    sessions = Session.objects.filter(user=user).select_related("lesson").only("mode", "lesson__slug")
    for session in sessions.order_by("pk"):  # always in one order: two that append to several chains cannot deadlock
        erased = [EventDraft(event=EventName.LEARNER_ERASED)]
        events_append(chain=str(session.pk), course=session.lesson.slug, mode=session.mode, drafts=erased)


def late_words_erase() -> int:
    """Erase what came in the very moment that its learner or their words were erased, and return how many texts.

    Such a request knew its user before, or a model was thinking about the words, and it wrote after. To be called once
    a day at least.
    """
    since = timezone.now() - _LATE
    erased = User.objects.filter(erased_at__gt=since).values_list("pk", flat=True)
    late = sum(words_erase(user_id=pk) for pk in erased)
    kept = call_texts_kept(since=since)
    for start in range(0, len(kept), _TEXTS_AT_ONCE):
        some = kept[start : start + _TEXTS_AT_ONCE]
        gone = _turns_erased(text.chain for text in some)
        late += call_texts_erase_of(hold_ids=[text.hold_id for text in some if (text.chain, text.subject) in gone])
    return late


def _turns_erased(chains: Iterable[str]) -> set[tuple[str, str]]:
    """Turns of these sessions whose words are erased, as the ledger names them. What is no session's has none."""
    sessions = set()
    for chain in chains:
        with suppress(ValueError):
            sessions.add(uuid.UUID(chain))
    turns = Turn.objects.filter(session_id__in=sessions, words__erased_at__isnull=False).only("session_id", "version")
    return {(str(turn.session_id), subject_of(turn)) for turn in turns}
