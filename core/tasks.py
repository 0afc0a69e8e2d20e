"""Background work of core: fetch, call, done."""

from celery import shared_task

from core import services


@shared_task
def heartbeat() -> None:
    services.heartbeat_record(name="worker")


@shared_task
def purge_broker() -> None:
    services.broker_purge()


@shared_task
def purge_sessions() -> None:
    services.browser_sessions_purge()


@shared_task
def purge_requests() -> None:
    services.requests_purge()
