"""Failed tries are forgotten a day after they stopped counting."""

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.conf import settings
from django.utils import timezone

from accounts.tasks import purge_attempts

MODELS: tuple[Any, ...] = (AccessAttempt, AccessFailureLog, AccessLog)


def rows(model: Any, count: int, age: timedelta) -> None:
    """So many, of names that their owners would not like to find here later."""
    values: dict[str, Any] = {"ip_address": "192.0.2.7", "user_agent": "x", "http_accept": "x", "path_info": "/"}
    if model is AccessAttempt:
        values |= {"get_data": "", "post_data": "", "failures_since_start": 1}
    made = [model(username=f"petronila-{age.days}-{number}", **values) for number in range(count)]
    model.objects.bulk_create(made)
    model.objects.filter(pk__in=[row.pk for row in made]).update(attempt_time=timezone.now() - age)


@pytest.mark.django_db
def test_old_failures_go_in_batches_and_those_that_count_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("accounts.services.attempts._BATCH", 10)
    for model in MODELS:
        rows(model, 25, timedelta(days=2))
        rows(model, 3, timedelta(hours=23))
    purge_attempts()
    assert [model.objects.count() for model in MODELS] == [3, 3, 3]


def test_it_is_on_the_schedule() -> None:
    assert "accounts.tasks.purge_attempts" in {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
