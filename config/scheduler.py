"""Beat's scheduler: that of `django_celery_beat`, which would send nothing for an hour after the clock was set back."""

from typing import Any

from django.utils import timezone
from django_celery_beat.schedulers import DatabaseScheduler


class Scheduler(DatabaseScheduler):  # type: ignore[misc]  # it comes without types
    """Counts what was last sent in the future as sent now."""

    def tick(self, *args: Any, **options: Any) -> Any:
        now = timezone.now()
        ahead = [entry for entry in self.schedule.values() if entry.last_run_at > now]
        for entry in ahead:
            entry.last_run_at = now
        if ahead:
            self._heap = None  # when each is due is planned anew
        return super().tick(*args, **options)
