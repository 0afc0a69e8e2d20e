"""What need not be worked out again for a while: patterns, replies of models. Source: RT-009, "Caches", "Storage"."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection, transaction
from django.utils import timezone

from accounts.services import person_stays
from reflection.models import CachedWork

Kind = CachedWork.Kind


@dataclass(frozen=True)
class Limits:
    """How long something is kept, and how much of a kind, in all and for one owner (None: no limit of their own)."""

    ttl: timedelta
    entries: int
    of_an_owner: int | None = None


LIMITS: Final = {
    Kind.PATTERNS: Limits(timedelta(hours=24), 2_000),
    Kind.REFLECTION: Limits(timedelta(hours=2), 500, of_an_owner=100),
}
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtext('reflection.cache'), hashtext(%s))"
# Whoever deletes does not wait for another who deletes the same rows.
_DELETE: Final = """
DELETE FROM reflection_cachedwork WHERE id IN (
    SELECT id FROM reflection_cachedwork WHERE id IN ({}) FOR UPDATE SKIP LOCKED)
"""
_OVER: Final = _DELETE.format("""
    SELECT id FROM reflection_cachedwork WHERE kind = %(kind)s AND expires_at <= %(now)s
    UNION ALL (SELECT id FROM reflection_cachedwork WHERE kind = %(kind)s
               ORDER BY created_at DESC, id DESC OFFSET %(entries)s)
    UNION ALL (SELECT id FROM reflection_cachedwork WHERE kind = %(kind)s AND owner = %(owner)s
               ORDER BY created_at DESC, id DESC OFFSET %(of_an_owner)s)
""")
_EXPIRED: Final = _DELETE.format("SELECT id FROM reflection_cachedwork WHERE expires_at <= %s")


def cached_get(kind: Kind, key: str, now: datetime | None = None) -> Any:
    """What was put under this key, JSON; None where there is nothing, or not any more. One query."""
    rows = CachedWork.objects.filter(kind=kind, key=key, expires_at__gt=now or timezone.now())
    return rows.values_list("value", flat=True).first()


@transaction.atomic
def cached_put(
    kind: Kind, owner: str, key: str, value: Any, now: datetime | None = None, *, user_id: int | None = None
) -> None:
    """Keep JSON under a digest of all that it follows from, `owner` among it, in the place of what was there.

    What has expired goes, and of what is too much the oldest. Two that put at once stand in line until the first one's
    transaction ends: put last in one. For a `user_id` nothing is kept once they are erased. Four statements.
    """
    if user_id is not None and not person_stays(user_id=user_id):
        return
    moment, limits = now or timezone.now(), LIMITS[kind]
    with connection.cursor() as cursor:
        cursor.execute(_LOCK, [kind.value])
    CachedWork.objects.bulk_create(
        [
            CachedWork(
                kind=kind, owner=owner[:150], key=key, value=value, created_at=moment, expires_at=moment + limits.ttl
            )
        ],
        update_conflicts=True,
        unique_fields=["kind", "key"],
        update_fields=["owner", "value", "created_at", "expires_at"],
    )
    values: dict[str, Any] = {"kind": kind.value, "owner": owner[:150], "now": moment, "entries": limits.entries}
    with connection.cursor() as cursor:
        cursor.execute(_OVER, {**values, "of_an_owner": limits.of_an_owner or limits.entries})


def cached_forget(*, owner: str) -> None:
    """Delete all that is kept of somebody."""
    CachedWork.objects.filter(owner=owner).delete()


@transaction.atomic
def cached_purge(now: datetime | None = None) -> int:
    """Delete what has expired, and return how much that was."""
    with connection.cursor() as cursor:
        cursor.execute(_EXPIRED, [now or timezone.now()])
        return int(cursor.rowcount)
