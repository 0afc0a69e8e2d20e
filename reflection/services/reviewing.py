"""Reviews of reflections by staff: each with its reason, kept for good.

Source: design.md, "Settled", 2: a reflection accepted with warnings has no effect until it is approved.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from unicodedata import category

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from gateway.services import texts_embed_locally
from planning.services import plan_hold, tell
from reflection.contracts import (
    ANALYSIS_LENGTH,
    LEARNING_LENGTH,
    LINE_LENGTH,
    LINES_AT_MOST,
    Author,
    PatternFound,
    Reflection,
)
from reflection.errors import ReviewRefused
from reflection.models import Reflection as ReflectionRow
from reflection.models import ReflectionReview, Review
from reflection.quality.adjustments import adjustments_read
from reflection.quality.gate import gate_for
from reflection.selectors import reflection_of
from reflection.services.activation import episode_words, reflection_activate, reflection_deactivate, reflection_undo
from reflection.services.storing import attempt_store
from reflection.writing.attempts import AttemptMade
from telemetry.contracts import EventName

Action = ReflectionReview.Action


def reflection_approve(
    *, reflection_id: uuid.UUID, by: User, reason: str, seen: int | None = None, now: datetime | None = None
) -> ReflectionRow:
    """Put a reflection in force that the gate held back, or that was rejected. `seen`: the version that the
    reviewer looked at. Raises `ReviewRefused`.
    """
    return _reviewed(reflection_id, Action.APPROVE, by, reason, seen, None, now)


def reflection_reject(
    *, reflection_id: uuid.UUID, by: User, reason: str, seen: int | None = None, now: datetime | None = None
) -> ReflectionRow:
    """Take a reflection out of force, or leave it out, whatever the gate said. Raises `ReviewRefused`."""
    return _reviewed(reflection_id, Action.REJECT, by, reason, seen, None, now)


def reflection_edit(
    *,
    reflection_id: uuid.UUID,
    by: User,
    reason: str,
    analysis: str,
    learning: str,
    adjustments: Sequence[str],
    patterns: Sequence[str],
    seen: int | None = None,
    now: datetime | None = None,
) -> ReflectionRow:
    """Write it anew, as an attempt of this person that the gate judges too, and put that in force. Raises
    `ReviewRefused`.
    """
    words = Reflection(
        analysis=_checked(analysis, ANALYSIS_LENGTH),
        learning=_checked(learning, LEARNING_LENGTH),
        strategy_adjustments=_lines(adjustments),
        adjustments=adjustments_read(adjustments),
        patterns_identified=_lines(patterns),
        author=Author.STAFF,
    )
    return _reviewed(reflection_id, Action.EDIT, by, reason, seen, words, now)


def review_is_latest(
    *,
    reflection_id: uuid.UUID,
    action: str,
    by: User,
    reason: str,
    analysis: str = "",
    learning: str = "",
    adjustments: Sequence[str] = (),
    patterns: Sequence[str] = (),
) -> bool:
    """Whether the latest review is this very one: a repeated request is not refused. The arguments after `reason` are
    those of edits.
    """
    reviews = ReflectionReview.objects.select_related("attempt").filter(reflection=reflection_id)
    last = reviews.order_by("at", "pk").last()
    if last is None or (last.by_id, last.action, last.reason) != (by.pk, action, reason.strip()):
        return False
    wrote = last.attempt
    return action != Action.EDIT or (
        wrote is not None
        and (wrote.analysis, wrote.learning) == (analysis, learning)
        and [adjustment["text"] for adjustment in wrote.adjustments] == list(adjustments)
        and [pattern["text"] for pattern in wrote.patterns] == list(patterns)
    )


def _reviewed(
    reflection_id: uuid.UUID,
    action: Action,
    by: User,
    reason: str,
    seen: int | None,
    words: Reflection | None,
    now: datetime | None,
) -> ReflectionRow:
    moment, why = now or timezone.now(), reason.strip()
    if not why or len(why) > 500 or "\x00" in why:
        raise ReviewRefused(_("A review has a reason of 1 to 500 characters."))
    unlocked = _row(reflection_id)
    before = reflection_of(unlocked)
    attempt = _attempt(unlocked, before, words) if words is not None else None
    texts_embed_locally([episode_words((words or before).learning)])  # before rows are held
    with transaction.atomic():
        plan_hold(plan_id=unlocked.evaluation.plan_id)
        row = _row(reflection_id, lock=True)
        _check_seen(row, action, seen)
        review = ReflectionReview(reflection=row, action=action, reason=why, by=by, at=moment, attempt=row.kept)
        if attempt is not None:
            patterns = [PatternFound(**pattern) for pattern in row.kept.patterns] if row.kept else []
            number = row.attempts.count() + 1
            stored = attempt_store(row, attempt, number, patterns, by_id=by.pk, now=moment)
            if row.in_force:
                reflection_deactivate(row, now=moment)
            row.kept = stored
            review.attempt = stored
        review.save()
        _apply(row, action, moment)
        data = {
            "reflection": str(row.pk),
            "action": review.action,
            "by": review.by_id,
            "attempt": review.attempt.number if review.attempt else None,
            "inForce": row.in_force,
        }
        tell(row.evaluation.plan_id, EventName.REFLECTION_REVIEWED, data, moment)
    return row


def _checked(text: str, longest: int) -> str:
    """The text, unchanged. Raises `ReviewRefused` for one that is blank, too long, or cannot be stored."""
    if not text.strip() or len(text) > longest:
        raise ReviewRefused(_("Write 1 to %(most)s characters.") % {"most": longest})
    if any(category(sign) in ("Cc", "Cs") and sign not in "\r\n\t" for sign in text):
        raise ReviewRefused(_("There are characters that cannot be seen."))
    return text


def _lines(texts: Sequence[str]) -> list[str]:
    lines = [_checked(text, LINE_LENGTH) for text in texts]
    if len(lines) > LINES_AT_MOST:
        raise ReviewRefused(_("These are %(n)s lines; at most %(most)s.") % {"n": len(lines), "most": LINES_AT_MOST})
    return lines


def _row(reflection_id: uuid.UUID, *, lock: bool = False) -> ReflectionRow:
    """The row, locked until the transaction ends where asked. Raises `ReviewRefused`."""
    rows = ReflectionRow.objects.select_related("kept", "evaluation__plan")
    rows = rows.select_for_update(of=("self",), no_key=True) if lock else rows
    row = rows.filter(pk=reflection_id).first()
    if row is None or row.kept is None:
        raise ReviewRefused(_("There is no such reflection any more."))
    return row


def _check_seen(row: ReflectionRow, action: Action, seen: int | None) -> None:
    """Raise `ReviewRefused` for an outdated version, and for an action without effect."""
    assert row.kept is not None
    if seen is not None and seen != row.version:
        raise ReviewRefused(_("Somebody reviewed it meanwhile. Look at it again."))
    if row.review == Review.SUPERSEDED:
        raise ReviewRefused(_("Another result of the plan counts, so this one is of no use any more."))
    if action == Action.APPROVE and row.in_force:
        raise ReviewRefused(_("It is in force already."))
    if action == Action.REJECT and row.review == Review.REJECTED:
        raise ReviewRefused(_("It was rejected already."))


def _attempt(row: ReflectionRow, before: Reflection, words: Reflection) -> AttemptMade:
    """The words of staff with the gate's judgement."""
    fields = {name: before[name] for name in ("task", "task_type", "language", "user_id")}
    written = words.replaced(**fields)
    return AttemptMade(written, gate_for(row)(written))


def _apply(row: ReflectionRow, action: Action, now: datetime) -> None:
    row.review = Review.REJECTED if action == Action.REJECT else Review.APPROVED
    row.reviewed_at, row.version, row.in_force = now, row.version + 1, False
    row.save(update_fields=["review", "reviewed_at", "version", "in_force", "kept"])
    if action == Action.REJECT:
        reflection_undo(row, now=now)
    elif row.evaluation.plan.user_id is not None:
        reflection_activate(row, now=now)
