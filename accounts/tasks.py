"""Background work of accounts: fetch, call, done."""

from celery import shared_task

from accounts import services


@shared_task
def purge_attempts() -> None:
    services.attempts_purge()
