"""What models cost, how they were used and how long operations took: read from the ledger's own rows, for some days."""

from django.utils import timezone

from gateway import figures_calls as calls
from gateway.degradation import degradation_level
from gateway.figures_contracts import Days, Escalations, Figures
from gateway.figures_quotas import quota_refusals
from gateway.figures_timings import latencies
from gateway.owners import graded_answers


def figures_of(days: Days) -> Figures:
    """All figures of these days. Nine queries, and those of the counts of answers and of quotas.

    Each is a view of its own moment: a call that is settled meanwhile may be in some of them only.
    """
    counted = calls.by_day(days)
    sessions, costliest = calls.by_session(days)
    unverified, overruns, escalated = calls.odd_charges(days)
    moments = calls.moments_of(days)
    return Figures(
        days=days,
        level=degradation_level(now=timezone.now()),
        tiers=calls.by_tier(days, counted),
        by_day=counted,
        escalations=Escalations(made=escalated, graded=graded_answers(days.since, days.until)),
        sessions=sessions,
        learner_days=calls.by_learner_day(days),
        operations=calls.by_operation(days),
        unverified=unverified,
        overruns=overruns,
        latencies=latencies(moments["begin"], moments["end"]),
        quota_refusals=quota_refusals(days),
        failures=calls.failures(days),
        costliest=costliest,
    )
