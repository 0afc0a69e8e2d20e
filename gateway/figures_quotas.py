"""How often a storage quota refused something. Source: RT-009, "Metrics"."""

from gateway.figures_contracts import Days
from telemetry.contracts import EventName
from telemetry.panels import Filters, Measure, measure_register, text
from telemetry.selectors import measure_read

_MEASURE = Measure(name="quotas", events=(EventName.QUOTA_EXCEEDED,), label=text("quota"))


def quota_refusals(days: Days) -> int:
    """All quotas together."""
    return sum(cell.count for cell in measure_read(_MEASURE.name, filters=Filters(since=days.since, until=days.until)))


def register() -> None:
    """Let telemetry count them; for `AppConfig.ready()`."""
    measure_register(_MEASURE)
