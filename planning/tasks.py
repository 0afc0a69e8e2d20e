"""Background work of planning."""

from celery import shared_task

from planning.cache import entries_purge


@shared_task
def purge_cache() -> None:
    """Delete what the plan cache keeps for longer than it may."""
    entries_purge()
