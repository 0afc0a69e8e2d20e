"""Background work of the gateway."""

from celery import shared_task

from gateway.services import embeddings_trim


@shared_task
def trim_embeddings() -> None:
    """Hold the embedding cache to its limit."""
    embeddings_trim()
