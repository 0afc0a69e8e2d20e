"""The background entry point: one Celery application for worker and beat."""

import os

from celery import Celery
from celery.signals import worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("andamio")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def _announce(**_: object) -> None:
    """A worker counts as alive from its first second, not from beat's next heartbeat."""
    from core.services import heartbeat_record

    heartbeat_record(name="worker")
