"""Background work of reflection. It comes after learners: a while at a time, so that other work has its turn."""

import time

import structlog
from celery import shared_task
from django.utils import timezone

from evaluation.services import reflections_claim
from reflection.board.alerts import quality_alerts_raise
from reflection.loop.pending import pending_reflect, reflection_nudge
from reflection.services.patterns import patterns_revalidate_due
from reflection.writing.caching import cached_purge

A_WHILE = 5.0
"""Seconds after which a task makes room for others and comes again."""
_log = structlog.get_logger(__name__)


@shared_task
def reflect() -> None:
    """Reflect on the pending failures, one after the other."""
    until = time.monotonic() + A_WHILE
    while claimed := reflections_claim(limit=1):
        for pending in claimed:
            try:
                pending_reflect(pending)
            except Exception:  # one that cannot be reflected on must not keep the others waiting
                _log.exception("reflecting failed", evaluation=str(pending.evaluation_id))
        if time.monotonic() > until:
            reflection_nudge()
            return


@shared_task
def check_quality() -> None:
    """Raise an alert where the reflections of the last day are worse than they may be."""
    quality_alerts_raise(now=timezone.now())


@shared_task
def revalidate_patterns() -> None:
    """Count patterns anew where something has happened since."""
    patterns_revalidate_due(limit=200)


@shared_task
def purge_cache() -> None:
    """Drop what is kept no longer than for a while."""
    cached_purge()
