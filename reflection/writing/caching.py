"""The cache of patterns and of replies of models. Source: RT-009, "Caches", "Storage"."""

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
    """Time to live, and most entries of a kind, in all and for one owner (None: no limit of their own)."""

    ttl: timedelta
    entries: int
    of_an_owner: int | None = None


LIMITS: Final = {
    Kind.PATTERNS: Limits(timedelta(hours=24), 2_000),
    Kind.REFLECTION: Limits(timedelta(hours=2), 500, of_an_owner=100),
}
_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtext('reflection.cache'), hashtext(%s))"
# A deletion does not wait for another one of the same rows. As arrays the rows are looked for once, not once for each
# row, which a plan made while the table was nearly empty does.
_DELETE: Final = """
DELETE FROM reflection_cachedwork WHERE id = ANY(ARRAY(
    SELECT id FROM reflection_cachedwork WHERE id = ANY(ARRAY({})) FOR UPDATE SKIP LOCKED))
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
    """The JSON under this key; None where there is none, or it has expired. One query."""
    rows = CachedWork.objects.filter(kind=kind, key=key, expires_at__gt=now or timezone.now())
    return rows.values_list("value", flat=True).first()


@transaction.atomic
def cached_put(
    kind: Kind, owner: str, key: str, value: Any, now: datetime | None = None, *, user_id: int | None = None
) -> None:
    """Store JSON under a digest of all that it follows from, `owner` among it, replacing an earlier value.

    Expired entries go, and the oldest of too many. Writers of one kind wait for each other until their transactions
    end: call it last in one. Nothing is stored for a `user_id` that is erased. Four statements.
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
    """Delete all that is cached for an owner."""
    CachedWork.objects.filter(owner=owner).delete()


@transaction.atomic
def cached_purge(now: datetime | None = None) -> int:
    """Delete expired entries; returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(_EXPIRED, [now or timezone.now()])
        return int(cursor.rowcount)
