"""Failed tries to sign in are kept as long as they count, and a day longer for staff who ask what happened."""

from datetime import timedelta

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.utils import timezone

KEPT = timedelta(days=1)
_BATCH = 1000


def attempts_purge() -> int:
    """Delete what django-axes noted longer ago than it counts and a day, a thousand rows at a time; how many."""
    before = timezone.now() - timedelta(hours=settings.AXES_COOLOFF_TIME) - KEPT
    deleted = 0
    for model in (AccessAttempt, AccessFailureLog, AccessLog):
        old = model.objects.filter(attempt_time__lt=before).order_by("pk")
        while keys := list(old.values_list("pk", flat=True)[:_BATCH]):
            deleted += model.objects.filter(pk__in=keys, attempt_time__lt=before).delete()[0]
    return deleted
