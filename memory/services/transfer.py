"""What was remembered of a guest becomes the account's, and what was remembered of an erased user goes."""

from datetime import datetime

import structlog
from django.db import connection
from django.db.models import Q
from django.utils import timezone

from memory.models import BYTES_AT_MOST, EPISODES_AT_MOST, Episode, MemoryRoom, Preference, StrategyAdjustment
from memory.services.quota import episodes_delete, quota_open, quota_recount, quotas_lock

_log = structlog.get_logger(__name__)
# The latest stay: whatever is behind the place where one of the quotas is reached does not.
_OVER_QUOTA = """
SELECT id FROM (
    SELECT id, row_number() OVER latest AS episodes, sum(bytes) OVER latest AS bytes
    FROM memory_episode WHERE user_id = ANY(%(users)s)
    WINDOW latest AS (ORDER BY created_at DESC, id ROWS UNBOUNDED PRECEDING)
) AS counted WHERE episodes > %(episodes)s OR bytes > %(bytes)s
"""


def memories_transfer(*, source: int, target: int, now: datetime | None = None) -> None:
    """Give everything of one user to another, inside the caller's transaction, which deletes the one.

    What has expired, and events that both had, are dropped; of what is then over the quotas the oldest, of either.
    """
    if Episode.objects.filter(user_id=source).exists():
        _episodes_move(source, target, now or timezone.now())
    _preferences_move(source, target)
    _adjustments_move(source, target)


def memories_erase(*, user_id: int) -> None:
    """Delete all that was remembered of a user, and the count of it."""
    quotas_lock([user_id])
    for model in (Episode, Preference, StrategyAdjustment, MemoryRoom):
        model._default_manager.filter(user_id=user_id).delete()


def _episodes_move(source: int, target: int, now: datetime) -> None:
    quota_open(target)
    quotas_lock([source, target])
    both = Episode.objects.filter(user_id__in=(source, target))
    episodes_delete(list(both.filter(expires_at__lte=now).values_list("pk", flat=True)))
    events = Episode.objects.filter(user_id=target).exclude(source="").values("source")
    episodes_delete(list(Episode.objects.filter(user_id=source, source__in=events).values_list("pk", flat=True)))
    with connection.cursor() as cursor:
        cursor.execute(_OVER_QUOTA, {"users": [source, target], "episodes": EPISODES_AT_MOST, "bytes": BYTES_AT_MOST})
        over = [pk for (pk,) in cursor.fetchall()]
    if episodes_delete(over):
        _log.info("the oldest memories did not fit", user=target, episodes=len(over))
    Episode.objects.filter(user_id=source).update(user_id=target)
    quota_recount(target)
    quota_recount(source)


def _preferences_move(source: int, target: int) -> None:
    theirs = list(Preference.objects.filter(user_id=source).values_list("pk", "task_type", "text"))
    if not theirs:
        return
    quota_open(target)
    quotas_lock([target])  # as `preference_set` does: the same could come in meanwhile
    preferences = set(Preference.objects.filter(user_id=target).values_list("task_type", "text"))
    new = [pk for pk, task_type, text in theirs if (task_type, text) not in preferences]
    Preference.objects.filter(pk__in=new).update(user_id=target)


def _adjustments_move(source: int, target: int) -> None:
    reflections = StrategyAdjustment.objects.filter(user_id=target).values("reflection_id")
    theirs = StrategyAdjustment.objects.filter(~Q(reflection_id__in=reflections), user_id=source)
    theirs.update(user_id=target)
