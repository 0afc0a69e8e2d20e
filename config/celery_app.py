"""The background entry point: one Celery application for worker and beat."""

import os

import django
from celery import Celery
from celery.signals import setup_logging, worker_ready

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
app = Celery("andamio")
app.set_default()  # for every thread of a web process, which only sends
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _leave_logging_alone(**_: object) -> None:
    """Logs are set up by the settings, for the worker and beat as for the web; a listener keeps Celery from its own."""
    django.setup(set_prefix=False)


@worker_ready.connect
def _announce(**_: object) -> None:
    """A worker counts as alive from its first second, not from beat's next heartbeat."""
    from core.services import heartbeat_record

    heartbeat_record(name="worker")
