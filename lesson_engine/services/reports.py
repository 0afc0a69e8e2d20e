"""A learner says that a question is wrong, and staff answer."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from lesson_engine.models import QuestionReport, Session, Turn
from lesson_engine.player import machine
from lesson_engine.services.turns import session_act
from lesson_engine.services.words import storable
from telemetry.contracts import EventDraft, EventName

MAX_COMMENT = 2_000
"""Characters of a comment that are kept."""
MAX_NOTE = 2_000


def question_report(
    *, session: Session, version: int, key: str, kind: QuestionReport.Kind, comment: str = ""
) -> Session:
    """File that the question the session stands at is wrong, as a turn of the session.

    An open question closes at no attempt and with its answer, as a skipped one does, so that nobody is stuck on it; a
    closed one stays as it ended. Of the comment the first `MAX_COMMENT` characters are kept. Raises `StaleSession`,
    `ActionNotPossible` also when this question was reported before, or `KeyReused`; the same key again changes nothing.
    """
    words, reason = storable(comment).strip()[:MAX_COMMENT], QuestionReport.Kind(kind)

    def note(turn: Turn) -> list[EventDraft]:
        QuestionReport.objects.create(
            session=session,
            lesson_version_id=session.lesson_version_id,
            ask_code=turn.ask_code,
            kind=reason,
            comment=words,
            reported_at=turn.started_at,
        )
        # Never the comment: it is the learner's, and a chain cannot forget.
        data = {"askCode": turn.ask_code, "reason": reason.value}
        return [EventDraft(event=EventName.QUESTION_REPORTED, data=data)]

    # The fingerprint is made without the comment: what is erased must not be left as a hash to guess from.
    return session_act(session, version, key, Turn.Kind.REPORT, machine.report, body=reason.value, note=note)


@transaction.atomic
def reports_dismiss(*, reports: Iterable[QuestionReport], by: User, note: str) -> int:
    """Close those that are still open: the question stays as it is. Returns how many; `note` is for staff."""
    waiting = QuestionReport.objects.filter(pk__in=[report.pk for report in reports], state=QuestionReport.State.OPEN)
    return waiting.update(
        state=QuestionReport.State.DISMISSED, resolved_at=timezone.now(), resolved_by=by, note=storable(note).strip()
    )
