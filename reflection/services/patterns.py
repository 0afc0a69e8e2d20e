"""Patterns as rows: stored when a reflection names them, counted anew as episodes arrive, retired when they hold no
longer. Docs: decision 25.

Locks are taken in one order: the person, their memory, their patterns (of two people in the order of their keys), then
the chain of events. Whoever holds the patterns of a person is the only one who writes them.
"""

import hashlib
import json
import re
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import structlog
from django.db import connection, transaction
from django.db.models import Exists, Min, OuterRef, Q
from django.utils import timezone

from accounts.services import person_stays
from memory.contracts import TASK_TYPE_FORM
from memory.models import Episode
from planning.selectors import user_planned_for
from reflection.contracts import PatternFound, PatternState
from reflection.failure import Failure
from reflection.models import PATTERN_BYTES, PATTERNS_AT_MOST, CachedWork, Pattern, Reflection
from reflection.patterns import OCCURRENCES_AT_LEAST, features_of, pattern_recounted, patterns_found
from reflection.selectors import episodes_of
from reflection.services.caching import cached_forget, cached_get, cached_put
from telemetry.contracts import EventDraft, EventLevel, EventName
from telemetry.services import events_append

STALE: Final = timedelta(days=1)
"""After which patterns are counted anew though nothing has arrived: episodes expire, and are forgotten."""
_VERSION: Final = 1
"""Of finding: another one finds other patterns in the same episodes."""
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtext('reflection.patterns'), hashtext(%s))"
_FIGURES: Final = ("support", "contrary", "total", "confidence", "lower_bound", "state", "text")
_log = structlog.get_logger(__name__)


def patterns_known(*, failure: Failure, now: datetime | None = None) -> list[PatternFound]:
    """`patterns_found`, kept for a day under a digest of all that they follow from, so that what is kept is right.

    Nothing is kept of whom nobody knows here. No transaction should be open: others wait until it ends.
    """
    may_be = sum(one.failed is True for one in failure.past) >= OCCURRENCES_AT_LEAST - 1
    user = user_planned_for(failure.plan.id) if failure.plan.id and may_be else None
    if user is None:
        return patterns_found(failure)
    key = _key(user.pk, failure)
    kept = cached_get(CachedWork.Kind.PATTERNS, key, now)
    if kept is not None:
        return [PatternFound(**one) for one in kept]
    found = patterns_found(failure)
    values = [one.model_dump(mode="json") for one in found]
    cached_put(CachedWork.Kind.PATTERNS, str(user.pk), key, values, now, user_id=user.pk)
    return found


@transaction.atomic
def patterns_store(
    *,
    user_id: int,
    found: Sequence[PatternFound],
    language: str,
    found_at: datetime | None = None,
    now: datetime | None = None,
) -> list[Pattern]:
    """Insert what was found; what is known already, by condition and outcome, is counted anew over the episodes there
    are now. `found_at`: when it was counted, now where left out. Nothing is stored for somebody erased.

    For a reflection that is in force, after its failure was remembered: without, the pattern is not borne out. A user
    has at most 500 in a domain; retired ones make room, the longest retired first. What finds none, or takes over 2 KB,
    is left out with event quota.exceeded: the reflection goes on. What is known by words alone is no row.
    """
    moment = now or timezone.now()
    since = min(found_at or moment, moment)
    counted = [one for one in found if one.outcome and one.state != PatternState.RETIRED]
    by_domain: dict[str, dict[str, PatternFound]] = {}
    for one in counted:
        if re.fullmatch(TASK_TYPE_FORM, one.domain):
            by_domain.setdefault(one.domain, {})[_digest(one)] = one
    if not by_domain or not person_stays(user_id=user_id):
        return []
    _hold([user_id])
    stored: list[Pattern] = []
    for domain, patterns in sorted(by_domain.items()):
        stored += _stored(user_id, domain, patterns, language, since, moment)
    return stored


@transaction.atomic
def patterns_revalidate(*, user_id: int, domain: str, now: datetime | None = None) -> int:
    """Count the patterns of a user in a domain anew over the episodes there are; how many changed their state.

    Those retired stay so until they are found again. At most ten statements.
    """
    if not person_stays(user_id=user_id):
        return 0
    _hold([user_id])
    return _recounted(user_id, domain, now or timezone.now())


def patterns_revalidate_due(*, limit: int = 50, now: datetime | None = None) -> int:
    """Do so where an episode has arrived since, or a day has passed: of at most so many users and domains, the longest
    waiting first, each in a transaction of its own. How many that were.
    """
    moment = now or timezone.now()
    newer = Episode.objects.filter(
        user=OuterRef("user"), task_type=OuterRef("domain"), created_at__gt=OuterRef("validated_at")
    )
    due = Pattern.objects.exclude(state=PatternState.RETIRED)
    failed = Reflection.objects.filter(
        evaluation__plan__user=OuterRef("user"), task_type=OuterRef("domain"), created_at__gt=OuterRef("validated_at")
    )
    due = due.filter(Exists(newer) | Exists(failed) | Q(validated_at__lte=moment - STALE))
    pairs = due.values("user_id", "domain").annotate(since=Min("validated_at")).order_by("since", "user_id", "domain")
    done = 0
    for pair in pairs[:limit]:
        try:
            patterns_revalidate(user_id=pair["user_id"], domain=pair["domain"], now=moment)
            done += 1
        except Exception:  # one that cannot be counted must not keep the others waiting
            _log.exception("patterns were not counted anew", user=pair["user_id"])
    return done


def patterns_transfer(*, source: int, target: int, now: datetime | None = None) -> None:
    """Give the patterns of one user to another, inside the caller's transaction, which has moved the episodes already.

    Of what both have the target's stays; all are counted anew over what both lived through.
    """
    cached_forget(owner=str(source))
    theirs = Pattern.objects.filter(user_id=source)
    domains = sorted(set(theirs.values_list("domain", flat=True)))
    if not domains:
        return
    _hold([source, target])
    known = Pattern.objects.filter(user_id=target, domain=OuterRef("domain"), digest=OuterRef("digest"))
    theirs.filter(Exists(known)).delete()
    theirs.update(user_id=target)
    moment = now or timezone.now()
    for domain in domains:
        _recounted(target, domain, moment)
        _room_made(target, domain, 0)


def patterns_erase(*, user_id: int) -> None:
    """Delete all patterns of a user, and what is kept of them. Needs the transaction that erases them."""
    Pattern.objects.filter(user_id=user_id).delete()
    cached_forget(owner=str(user_id))


def _stored(
    user_id: int, domain: str, found: dict[str, PatternFound], language: str, since: datetime, now: datetime
) -> list[Pattern]:
    theirs = Pattern.objects.filter(user_id=user_id, domain=domain, digest__in=found)
    known = {row.digest: row for row in theirs}
    past = episodes_of(user_id, domain, now=now) if known else ()
    fitting = {digest: one for digest, one in found.items() if _size(one) <= PATTERN_BYTES}
    new = [digest for digest in fitting if digest not in known]
    free = _room_made(user_id, domain, len(new), keeping=known)
    rows, told = [], []
    for digest in (*known, *new[:free]):
        row = known.get(digest) or _row(user_id, digest, found[digest], now)
        before = row.state
        if digest in known:
            _figure(row, pattern_recounted(found[digest], past, language), now)
        else:
            _figure(row, found[digest], since)
        row.language = language
        row.save()
        rows.append(row)
        told += [_told(row, before)] if row.state != before else []
    if len(fitting) < len(found):
        told.append(_refused(user_id, "pattern_bytes", max(map(_size, found.values())), PATTERN_BYTES))
    if free < len(new):
        told.append(_refused(user_id, "patterns", PATTERNS_AT_MOST, PATTERNS_AT_MOST))
    _tell(user_id, told, now)
    return rows


def _row(user_id: int, digest: str, found: PatternFound, now: datetime) -> Pattern:
    return Pattern(
        user_id=user_id,
        domain=found.domain,
        digest=digest,
        condition=found.condition,
        outcome=found.outcome,
        created_at=now,
    )


def _recounted(user_id: int, domain: str, now: datetime) -> int:
    """Their patterns must be held. A text that no longer fits is left as it is."""
    rows = list(Pattern.objects.filter(user_id=user_id, domain=domain).exclude(state=PatternState.RETIRED))
    if not rows:
        return 0
    past, told = episodes_of(user_id, domain, now=now), []
    for row in rows:
        before = row.state
        _figure(row, pattern_recounted(_value(row), past, row.language), now)
        told += [_told(row, before)] if row.state != before else []
    Pattern.objects.bulk_update(rows, [*_FIGURES, "validated_at"])
    _tell(user_id, told, now)
    return len(told)


def _room_made(user_id: int, domain: str, wanted: int, keeping: Collection[str] = ()) -> int:
    """How many more patterns there is room for, after retired ones went as far as they must; not those with digests
    in `keeping`.

    Of more than there may be, which two people's can come to, those that hold least go after the retired ones.
    """
    theirs = Pattern.objects.filter(user_id=user_id, domain=domain)
    count = theirs.count()
    over = count + wanted - PATTERNS_AT_MOST
    if over <= 0:
        return PATTERNS_AT_MOST - count
    retired = theirs.filter(state=PatternState.RETIRED).exclude(digest__in=keeping).order_by("validated_at", "pk")
    going = list(retired.values_list("pk", flat=True)[:over])
    beyond = count - len(going) - PATTERNS_AT_MOST
    if beyond > 0:
        others = theirs.exclude(pk__in=going).order_by("lower_bound", "validated_at", "pk")
        going += others.values_list("pk", flat=True)[:beyond]
    theirs.filter(pk__in=going).delete()
    return PATTERNS_AT_MOST - count + len(going)


def _hold(user_ids: Collection[int]) -> None:
    """Hold the patterns of these users until the transaction ends."""
    with connection.cursor() as cursor:
        for user_id in sorted(user_ids):
            cursor.execute(_LOCK, [str(user_id)])


def _key(user_id: int, failure: Failure) -> str:
    """Of all that patterns of this failure follow from."""
    past = [[one.id, one.failed, sorted(one.features)] for one in failure.past]
    own = sorted(features_of(failure.plan, failure.evaluation))
    said = [_VERSION, user_id, failure.domain, failure.language, own, past]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def _digest(found: PatternFound) -> str:
    """What a pattern is: its condition and its outcome."""
    return hashlib.sha256(json.dumps([sorted(found.condition), found.outcome]).encode()).hexdigest()


def _size(found: PatternFound) -> int:
    return len(json.dumps([found.text, found.condition, found.outcome], ensure_ascii=False).encode())


def _value(row: Pattern) -> PatternFound:
    return PatternFound(
        text=row.text,
        domain=row.domain,
        condition=tuple(row.condition),
        outcome=row.outcome,
        state=PatternState(row.state),
    )


def _figure(row: Pattern, found: PatternFound, now: datetime) -> None:
    for name in _FIGURES:
        setattr(row, name, getattr(found, name))
    row.validated_at = now


def _told(row: Pattern, before: str) -> EventDraft:
    """For the audit trail, without a word of what keeps happening."""
    data = {
        "pattern": str(row.pk),
        "from": before,
        "to": str(row.state),
        "support": row.support,
        "contrary": row.contrary,
        "total": row.total,
        "lowerBound": round(row.lower_bound, 3),
    }
    return EventDraft(event=EventName.PATTERN_CHANGED, data=data)


def _refused(user_id: int, quota: str, used: int, limit: int) -> EventDraft:
    data: dict[str, Any] = {"quota": quota, "used": used, "limit": limit, "user": user_id}
    _log.warning("a storage quota is reached", **data)
    return EventDraft(event=EventName.QUOTA_EXCEEDED, level=EventLevel.WARNING, data=data)


def _tell(user_id: int, drafts: Sequence[EventDraft], now: datetime) -> None:
    """Each person's patterns have a chain of their own: nobody waits for another."""
    events_append(chain=f"patterns:{user_id}", course="", mode="", drafts=drafts, now=now)
