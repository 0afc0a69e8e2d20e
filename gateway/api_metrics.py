"""Metrics for programs: one answer for a range of days."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import Scope
from core.api import ApiView, InvalidRequest, operation
from gateway.api_metrics_contracts import DAYS_AT_MOST, Metrics, MetricsQuery
from gateway.api_metrics_values import metrics_of
from gateway.figures import figures_of
from gateway.figures_contracts import Days

TAG = "Metrics"
DAYS_AT_FIRST = 30
_NO_RUNS: dict[str, Any] = {"count": 0, "mean_microcents": None, "p95_microcents": None}
_EXAMPLE: dict[str, Any] = {
    "since": "2026-01-01",
    "until": "2026-01-30",
    "planning_latency_p50": 640,
    "planning_latency_p95": 1820,
    "planning_latency_p99": 2410,
    "evaluation_latency_p50": 120,
    "evaluation_latency_p95": 380,
    "reflection_latency_p50": None,
    "reflection_latency_p95": None,
    "cost_per_operation": [
        {
            "operation": "escalate_grade",
            "calls": 12,
            "cost_microcents": 30_200_000,
            "cap_microcents": None,
            "per_run": _NO_RUNS,
        }
    ],
    "daily_cost_per_user": {"count": 7, "mean_microcents": 4_314_286, "p95_microcents": 9_800_000},
    "cache_hit_rate": 0.42,
    "degradation_level": "full",
    "timeout_errors": 0,
    "timeout_rate": 0.0,
    "cost_exceeded": 0,
    "quota_exceeded": 0,
    "calls": 12,
    "cost_microcents": 30_200_000,
    "usage_by_tier": [
        {
            "tier": "thinker",
            "calls": 12,
            "cost_microcents": 30_200_000,
            "share": 1.0,
            "policy": 0.05,
            "provider_latency_p50": 1310,
            "provider_latency_p95": 2950,
        }
    ],
    "cost_by_day": [{"day": "2026-01-12", "tier": "thinker", "calls": 12, "cost_microcents": 30_200_000}],
    "cost_per_session": {"count": 5, "mean_microcents": 6_040_000, "p95_microcents": 11_000_000},
    "escalations": {"made": 11, "graded_answers": 204, "rate": 0.0539},
    "unverified": {"calls": 1, "cost_microcents": 3_100_000},
    "overruns": {"calls": 0, "cost_microcents": 0},
    "latency_by_operation": [
        {
            "operation": "create_plan",
            "runs": 96,
            "p50": 640,
            "p95": 1820,
            "p99": 2410,
            "target": 2000,
            "timeout": 5000,
            "violations": 2,
            "timeouts": 0,
            "timeout_rate": 0.0,
            "cache_hit_rate": 0.42,
        }
    ],
    "failures": [
        {"outcome": "timed_out", "tier": "thinker", "model": "o3-mini", "calls": 1, "cost_microcents": 3_100_000}
    ],
}


class MetricsView(ApiView):
    """What models cost and how long operations took."""

    required_scopes = {"GET": Scope.METRICS_READ}

    @operation(
        id="metrics_read",
        summary="Read metrics",
        tag=TAG,
        response=Metrics,
        query=MetricsQuery,
        example=_EXAMPLE,
    )
    def get(self, request: Request) -> Response:
        """Everything at once, for the days you name or the last thirty.

        A call to a model belongs to the day on which its money was set aside. Times of operations are kept for ninety
        days. Nobody's name, words or session is in it.
        """
        return self.answer(metrics_of(figures_of(_days(self.query(MetricsQuery)))))


def _days(query: MetricsQuery) -> Days:
    until = query.until or max(datetime.now(UTC).date(), query.since or date.min)
    since = query.since or until - timedelta(days=DAYS_AT_FIRST - 1)
    if (until - since).days > DAYS_AT_MOST:
        raise InvalidRequest("The query string does not fit this address.", [("/since", "must not be so long ago")])
    return Days(since=since, until=until)
