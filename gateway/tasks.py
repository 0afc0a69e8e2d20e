"""Background work of the gateway."""

from celery import shared_task
from django.utils import timezone

from gateway import ledger, services


@shared_task
def trim_embeddings() -> None:
    """Hold the embedding cache to its limit."""
    services.embeddings_trim()


@shared_task
def expire_holds() -> None:
    """Close calls whose process is gone."""
    ledger.expire()


@shared_task
def check_alerts() -> None:
    """Raise the alerts that only figures over some time show, and record a change of the degradation level."""
    services.periodic_alerts_raise(now=timezone.now())


@shared_task
def purge() -> None:
    """Erase texts of calls and drop timings that were kept for long enough."""
    services.gateway_purge()
