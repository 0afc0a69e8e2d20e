"""Background work of planning."""

from celery import shared_task

from planning.cache import entries_purge


@shared_task
def purge_cache() -> None:
    entries_purge()
