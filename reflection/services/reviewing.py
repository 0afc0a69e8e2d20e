"""What staff do about a reflection: each thing with its reason, for good, and once.

Source: design.md, "Settled", 2: what the gate let through with warnings feeds nothing until someone approves.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any
from unicodedata import category

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from gateway.services import texts_embed_locally
from planning.services import plan_hold, tell
from reflection.attempts import AttemptMade
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
from reflection.gate import gate_for
from reflection.models import Reflection as ReflectionRow
from reflection.models import ReflectionReview, Review
from reflection.selectors import reflection_of
from reflection.services.putting import episode_words, force_end, force_put, taken_back
from reflection.services.storing import attempt_store
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
    """Write it anew, as an attempt of this person, and put that in force. The gate judges it too, for the record.

    Raises `ReviewRefused`.
    """
    words = Reflection(
        analysis=_checked(analysis, ANALYSIS_LENGTH),
        learning=_checked(learning, LEARNING_LENGTH),
        strategy_adjustments=_lines(adjustments),
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
    """Whether the latest review is this very one, so that whoever sends it again, not having been answered, need not
    be refused. What follows `reason` is for edits.
    """
    found = ReflectionReview.objects.select_related("attempt").filter(reflection=reflection_id)
    last = found.order_by("at", "pk").last()
    if last is None or (last.by_id, last.action, last.reason) != (by.pk, action, reason.strip()):
        return False
    wrote = last.attempt
    return action != Action.EDIT or (
        wrote is not None
        and (wrote.analysis, wrote.learning) == (analysis, learning)
        and [one["text"] for one in wrote.adjustments] == list(adjustments)
        and [one["text"] for one in wrote.patterns] == list(patterns)
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
    found = _found(reflection_id)
    known = reflection_of(found)
    attempt = _attempt(found, known, words) if words is not None else None
    learning = words.learning if words is not None else known.learning
    texts_embed_locally([episode_words(learning)])  # before rows are held
    with transaction.atomic():
        plan_hold(plan_id=found.evaluation.plan_id)
        row = _held(reflection_id)
        _check_seen(row, action, seen)
        review = _review(row, action, by, why, moment)
        if attempt is not None:
            patterns = [PatternFound(**one) for one in row.kept.patterns] if row.kept else []
            number = row.attempts.count() + 1
            stored = attempt_store(row, attempt, number, patterns, by_id=by.pk, now=moment)
            if row.in_force:
                force_end(row, now=moment)
            row.kept = stored
            review.attempt = stored
        review.save()
        _apply(row, action, moment)
        tell(row.evaluation.plan_id, EventName.REFLECTION_REVIEWED, _told(row, review), moment)
    return row


def _checked(text: str, longest: int) -> str:
    """The text as it is. Raises `ReviewRefused` for one that says nothing, is long, or cannot be stored."""
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


def _found(reflection_id: uuid.UUID) -> ReflectionRow:
    row = ReflectionRow.objects.select_related("kept", "evaluation__plan").filter(pk=reflection_id).first()
    if row is None or row.kept is None:
        raise ReviewRefused(_("There is no such reflection any more."))
    return row


def _held(reflection_id: uuid.UUID) -> ReflectionRow:
    rows = ReflectionRow.objects.select_related("kept", "evaluation__plan").select_for_update(of=("self",), no_key=True)
    row = rows.filter(pk=reflection_id).first()
    if row is None or row.kept is None:
        raise ReviewRefused(_("There is no such reflection any more."))
    return row


def _check_seen(row: ReflectionRow, action: Action, seen: int | None) -> None:
    """Two reviewers at once do not undo each other unseen."""
    assert row.kept is not None
    if seen is not None and seen != row.version:
        raise ReviewRefused(_("Somebody reviewed it meanwhile. Look at it again."))
    if row.review == Review.SUPERSEDED:
        raise ReviewRefused(_("Another result of the plan counts, so this one is of no use any more."))
    if action == Action.APPROVE and row.in_force:
        raise ReviewRefused(_("It is in force already."))
    if action == Action.REJECT and row.review == Review.REJECTED:
        raise ReviewRefused(_("It was rejected already."))


def _attempt(row: ReflectionRow, known: Reflection, words: Reflection) -> AttemptMade:
    """What staff wrote, with what the gate says of it."""
    written = words.replaced(task=known.task, task_type=known.task_type, language=known.language, user_id=known.user_id)
    return AttemptMade(written, gate_for(row)(written))


def _review(row: ReflectionRow, action: Action, by: User, reason: str, now: datetime) -> ReflectionReview:
    return ReflectionReview(reflection=row, action=action, reason=reason, by=by, at=now, attempt=row.kept)


def _apply(row: ReflectionRow, action: Action, now: datetime) -> None:
    row.review = Review.REJECTED if action == Action.REJECT else Review.APPROVED
    row.reviewed_at, row.version, row.in_force = now, row.version + 1, False
    row.save(update_fields=["review", "reviewed_at", "version", "in_force", "kept"])
    if action == Action.REJECT:
        taken_back(row, now=now)
    elif row.evaluation.plan.user_id is not None:
        force_put(row, now=now)


def _told(row: ReflectionRow, review: ReflectionReview) -> dict[str, Any]:
    """For the audit trail: who did what. The reason stands with the review, which can be erased."""
    return {
        "reflection": str(row.pk),
        "action": review.action,
        "by": review.by_id,
        "attempt": review.attempt.number if review.attempt else None,
        "inForce": row.in_force,
    }
