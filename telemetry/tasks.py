"""Telemetry's work in the background; beat calls it, nothing waits for it."""

import logging

from celery import shared_task

from telemetry.selectors import chains_due
from telemetry.services import chains_mark_verified
from telemetry.verification import chains_verify

CHAINS_PER_RUN = 2000
logger = logging.getLogger(__name__)


@shared_task(ignore_result=True)
def verify_chains(limit: int = CHAINS_PER_RUN) -> int:
    """Check up to `limit` chains that grew since their last good check; returns how many are broken, and logs each."""
    checks = list(chains_verify(chains_due(limit)))
    chains_mark_verified(checks=checks)
    for check in checks:
        if fault := check.fault:
            logger.error("audit chain broken: %s, seq %d: %s", check.chain, fault.seq, fault.detail)
    return sum(check.fault is not None for check in checks)
