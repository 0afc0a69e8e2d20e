"""Telemetry's work in the background; beat calls it, nothing waits for it."""

import logging

from celery import shared_task

from telemetry.chains.verification import chains_verify
from telemetry.selectors import chains_due
from telemetry.services import anchor_set, chains_mark_verified, rollups_advance

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


@shared_task(ignore_result=True)
def set_anchor() -> int:
    """Write an anchor and send it; returns how many addresses did not get it, and logs each."""
    _made, failed = anchor_set()
    for to, reason in failed.items():
        if reason:
            logger.error("the audit anchor was not sent to %s: %s", to, reason)
    return sum(map(bool, failed.values()))


@shared_task(ignore_result=True)
def advance_rollups() -> int:
    """Count what came since the last run; returns how many ids were gone through."""
    return rollups_advance()
