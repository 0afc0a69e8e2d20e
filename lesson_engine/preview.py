"""Playing a version as a learner would, without leaving traces: where the author stands travels in the page itself.

The same player and the same grading as in a session; only nobody stores anything. The value is signed, so that nobody
plays what they were not given, and it expires.
"""

import uuid
from collections.abc import Iterable
from datetime import timedelta

from django.core.signing import BadSignature, TimestampSigner
from pydantic import ValidationError

from core.contracts import Contract
from gateway.contracts import MICROCENTS, Budget
from lesson_engine.contracts import Lesson, Reply
from lesson_engine.models import Mode, Session
from lesson_engine.player import machine
from lesson_engine.player.outline import Outline
from lesson_engine.player.state import PlayerState
from lesson_engine.services.answering import judge
from lesson_engine.services.sessions import budget_limits

LASTS = timedelta(hours=12)
_SALT = "lesson_engine.preview"


class PreviewRefused(Exception):
    """The value of a preview that was changed, is too old, or was given for another version or to somebody else."""


class Preview(Contract):
    """Where an author stands in a version; `turn` counts what they did."""

    id: uuid.UUID
    version_id: int
    author_id: int
    mode: Mode = Mode.DETERMINISTIC
    turn: int = 0
    state: PlayerState

    def session(self) -> Session:
        """What the player's page shows of a session; it is never saved."""
        over = self.state.phase == "finished"
        status = Session.Status.FINISHED if over else Session.Status.ACTIVE
        return Session(id=self.id, mode=self.mode, version=self.turn, status=status)


def preview_begin(outline: Outline, *, version_id: int, author_id: int, voided: Iterable[str] = ()) -> Preview:
    """At the first step; `voided` are the questions that were withdrawn, which nobody is asked."""
    state = machine.begin(outline, voided)
    return Preview(id=uuid.uuid4(), version_id=version_id, author_id=author_id, state=state)


def preview_sealed(preview: Preview) -> str:
    """The preview as a text that only we can make."""
    data = preview.model_dump(mode="json", exclude_defaults=True)
    return TimestampSigner(salt=_SALT).sign_object(data, compress=True)


def preview_opened(sealed: str, *, version_id: int, author_id: int) -> Preview:
    """Raises `PreviewRefused` for what is not this author's preview of this version, or older than `LASTS`."""
    try:
        preview = Preview.model_validate(TimestampSigner(salt=_SALT).unsign_object(sealed, max_age=LASTS))
    except (BadSignature, ValidationError) as error:  # the latter: the player has changed since
        raise PreviewRefused("This preview cannot be read any more.") from error
    if (preview.version_id, preview.author_id) != (version_id, author_id):
        raise PreviewRefused("This preview is of another version or somebody else's.")
    return preview


def preview_act(outline: Outline, preview: Preview, action: str) -> Preview:
    """Continue, hint, skip or report. Raises `ActionNotPossible` where the session's page would not offer it."""
    change = {
        "continue": machine.proceed,
        "hint": machine.show_hint,
        "skip": machine.skip,
        "report": machine.report,
    }[action]
    return _moved(preview, change(outline, preview.state))


def preview_answer(outline: Outline, preview: Preview, reply: Reply) -> Preview:
    """Judge a reply as a session does. Raises `ActionNotPossible` where no answer is awaited."""
    machine.require_answer_awaited(preview.state)
    return _moved(preview, judge(outline, preview.state, preview.mode, reply).state)


def preview_set_mode(preview: Preview, mode: Mode) -> Preview:
    """Switch between deterministic and adaptive."""
    return preview.model_copy(update={"mode": mode, "turn": preview.turn + 1})


def preview_jump(outline: Outline, preview: Preview, index: int) -> Preview:
    """Go to any step. Raises `IndexError` for one that there is not."""
    return _moved(preview, machine.arrive_at(outline, preview.state, index))


def preview_budget(lesson: Lesson) -> Budget:
    """What a session would begin with."""
    limits = budget_limits(lesson.policy)
    return Budget(
        limit=limits.cents * MICROCENTS,
        spent=0,
        held=0,
        escalations_limit=limits.escalations,
        escalations_used=0,
        thinker_floor=limits.thinker_floor_cents * MICROCENTS,
        economy_floor=limits.economy_floor_cents * MICROCENTS,
    )


def _moved(preview: Preview, state: PlayerState) -> Preview:
    return preview.model_copy(update={"state": state, "turn": preview.turn + 1})
