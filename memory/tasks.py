"""Background work of memory."""

from celery import shared_task

from memory import services


@shared_task
def purge() -> None:
    """Delete episodes and adjustments that have expired."""
    services.memories_purge()
