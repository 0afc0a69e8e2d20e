"""Alerts that only figures over some time show. Sources: spec/3 "Monitoreo"; RT-009, "Alert thresholds"."""

from datetime import datetime


def periodic_alerts_raise(*, now: datetime) -> int:
    """Raise what is due, once for each day, and tell when the degradation level moved; how many alerts were new."""
    return 0
