"""What erasing a learner means for lessons: their words go, what they did stays in sessions and chains."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from lesson_engine.models import Session
from lesson_engine.services.words import words_erase
from telemetry.contracts import EventDraft, EventName
from telemetry.services import events_append

_LATE = timedelta(days=2)


@transaction.atomic
def learner_words_erase(*, user: User) -> None:
    """Erase what a learner wrote, and say so at the end of the chain of each of their sessions, without a name."""
    words_erase(user_id=user.pk)
    sessions = Session.objects.filter(user=user).select_related("lesson").only("mode", "lesson__slug")
    for session in sessions.order_by("pk"):  # always in one order: two that append to several chains cannot deadlock
        erased = [EventDraft(event=EventName.LEARNER_ERASED)]
        events_append(chain=str(session.pk), course=session.lesson.slug, mode=session.mode, drafts=erased)


def late_words_erase() -> int:
    """Erase what came in the very moment that its learner was erased, and return how many texts that were.

    Such a request knew its user before, and wrote after. To be called once a day at least.
    """
    erased = User.objects.filter(erased_at__gt=timezone.now() - _LATE).values_list("pk", flat=True)
    return sum(words_erase(user_id=pk) for pk in erased)
