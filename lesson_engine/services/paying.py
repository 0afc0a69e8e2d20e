"""Whose money models spend in a session."""

from gateway.client.tiers import is_configured
from gateway.contracts import Payer, Tier
from lesson_engine.models import Mode, Session, Turn

AGENT = "tutor"


def payer_of(session: Session, turn: Turn) -> Payer:
    """The session and its learner's day, for this turn. Asks the database for the learner where the session
    came without.
    """
    return Payer.of(
        session.user,
        chain=str(session.pk),
        session=str(session.pk),
        agent=AGENT,
        course=session.lesson.slug,
        mode=turn.mode,
        subject=subject_of(turn),
    )


def subject_of(turn: Turn) -> str:
    """What calls to models were for, in the ledger and its events."""
    return f"turn:{turn.version}"


def thinker_may_help(session: Session) -> bool:
    """Whether a turn of the session may wait for the thinker."""
    return session.mode == Mode.ADAPTIVE and is_configured(Tier.THINKER)
