"""What the API of metrics takes and gives. Money in micro-cents, times in milliseconds, shares 0 to 1, days in UTC.

The names are those of RT-009, "Metrics", as far as it has them.
"""

import re
from datetime import date
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema, field_validator

from core.contracts import Contract
from gateway.api_contracts import Microcents
from gateway.contracts import DegradationLevel, Outcome, Tier

DAYS_AT_MOST = 3660
_DAY = re.compile(r"[12]\d{3}-\d{2}-\d{2}", re.ASCII)


def _plain(value: Any) -> Any:
    # Pydantic would also take seconds since 1970.
    if isinstance(value, str) and not _DAY.fullmatch(value):
        raise ValueError("must be a day like 2026-01-31")
    return value


Day = Annotated[
    date,
    BeforeValidator(_plain),
    WithJsonSchema({"type": "string", "format": "date", "pattern": "^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$"}),
]
Count = Annotated[int, Field(ge=0)]
Ms = Annotated[int, Field(ge=0, description="Milliseconds.")]
Share = Annotated[float, Field(ge=0, le=1)]


class MetricsQuery(Contract):
    """Which days to tell of; both count."""

    since: Day | None = Field(default=None, description="The first day, in UTC; left out, 29 days before the last one.")
    until: Day | None = Field(default=None, description="The last day, in UTC; left out, today.")

    @field_validator("until")
    @classmethod
    def _in_order(cls, until: date | None, info: ValidationInfo) -> date | None:
        since = info.data.get("since")
        if until is not None and since is not None:
            if since > until:
                raise ValueError("must not lie before since")
            if (until - since).days > DAYS_AT_MOST:
                raise ValueError("must not be more than ten years after since")
        return until


class TierMetrics(Contract):
    """Calls to one tier: those that it answered, or was tried for last, and what all requests to it cost."""

    tier: Tier
    calls: Count
    cost_microcents: Microcents
    share: Share | None = Field(description="Of all calls; null without any.")
    policy: Share = Field(description="What the policy wants: 0.8 cheap, 0.15 embed, 0.05 thinker.")
    provider_latency_p50: Ms | None = Field(description="Of the answers that came; null without any.")
    provider_latency_p95: Ms | None


class DayMetrics(Contract):
    """Calls of one day to one tier. Days and tiers without a request are left out."""

    day: date
    tier: Tier
    calls: Count
    cost_microcents: Microcents


class SpreadMetrics(Contract):
    """What several of a kind cost; null where there is none."""

    count: Count
    mean_microcents: Microcents | None = Field(description="Rounded up.")
    p95_microcents: Microcents | None


class OperationCostMetrics(Contract):
    """What calls for one operation cost."""

    operation: str = Field(examples=["escalate_grade"])
    calls: Count
    cost_microcents: Microcents
    cap_microcents: Microcents | None = Field(description="What one run may cost; null without such a cap.")
    per_run: SpreadMetrics = Field(description="Of runs that have a budget of their own: those with a cap.")


class OperationLatencyMetrics(Contract):
    """How long runs of one operation took."""

    operation: str = Field(examples=["create_plan"])
    runs: Count
    p50: Ms
    p95: Ms
    p99: Ms
    target: Ms | None
    timeout: Ms | None = Field(description="The hard limit; null without one.")
    violations: Count = Field(description="Runs that took longer than the target.")
    timeouts: Count = Field(description="Runs that were ended by a time limit.")
    timeout_rate: Share
    cache_hit_rate: Share | None = Field(description="Null for an operation that looks into no cache.")


class FailureMetrics(Contract):
    """Requests that ended in one other way than with an answer, retries too; `not_sent` ones cost nothing."""

    outcome: Outcome
    tier: Tier
    model: str
    calls: Count
    cost_microcents: Microcents


class EscalationMetrics(Contract):
    """How often the grader asked for a second opinion."""

    made: Count
    graded_answers: Count | None = Field(
        description="Answers in adaptive mode that could be judged; null where none are counted."
    )
    rate: float | None = Field(ge=0, description="One over the other; null where no answer was graded.")


class ChargeMetrics(Contract):
    """How many charges, and their sum."""

    calls: Count
    cost_microcents: Microcents


class Metrics(Contract):
    """Calls to models, their money, and how long operations took."""

    since: date
    until: date
    planning_latency_p50: Ms | None = Field(description="Of `create_plan`; null where it did not run.")
    planning_latency_p95: Ms | None
    planning_latency_p99: Ms | None
    evaluation_latency_p50: Ms | None = Field(description="Of `evaluate_result`; null where it did not run.")
    evaluation_latency_p95: Ms | None
    reflection_latency_p50: Ms | None = Field(description="Of `reflect_on_result`; null where it did not run.")
    reflection_latency_p95: Ms | None
    cost_per_operation: tuple[OperationCostMetrics, ...] = Field(description="The dearest first.")
    daily_cost_per_user: SpreadMetrics = Field(description="Of users' days on which a model was asked for them.")
    cache_hit_rate: Share | None = Field(description="Of the plan cache; null where nobody looked into it.")
    degradation_level: DegradationLevel = Field(description="Now, whatever the days.")
    timeout_errors: Count = Field(description="Runs that were ended by a time limit, of operations that have one.")
    timeout_rate: Share | None = Field(description="Of all runs of those operations; null where none ran.")
    cost_exceeded: Count = Field(description="Runs that were refused because the budget did not allow them.")
    quota_exceeded: Count = Field(description="How often a storage quota refused something.")
    calls: Count = Field(description="To models, retries and fallbacks not counted. The local embedder makes none.")
    cost_microcents: Microcents
    usage_by_tier: tuple[TierMetrics, ...]
    cost_by_day: tuple[DayMetrics, ...]
    cost_per_session: SpreadMetrics = Field(description="Of sessions in which a model was asked.")
    escalations: EscalationMetrics
    unverified: ChargeMetrics = Field(description="Charged at worst, since the provider's count is not known.")
    overruns: ChargeMetrics = Field(description="Calls dearer than what was set aside, and what no budget could bear.")
    latency_by_operation: tuple[OperationLatencyMetrics, ...]
    failures: tuple[FailureMetrics, ...]
