"""What was counted of calls to models and of operations. Money in micro-cents, times in milliseconds, days in UTC.

The names in JSON are those of RT-009, "Metrics", as far as it has them. Shares go from 0 to 1.
"""

from datetime import date
from typing import Annotated

from pydantic import Field

from core.contracts import Contract
from gateway.contracts import DegradationLevel, Microcents, Outcome, Tier

Count = Annotated[int, Field(ge=0)]
Cost = Annotated[Microcents, Field(alias="cost_microcents")]
Ms = Annotated[int, Field(ge=0, description="Milliseconds.")]
Share = Annotated[float, Field(ge=0, le=1)]


class Days(Contract):
    """A range of days in UTC, of which both count."""

    since: date
    until: date


class TierMetrics(Contract):
    """Calls to one tier: those that it answered, or was tried for last, and what all requests to it cost."""

    tier: Tier
    calls: Count
    cost: Cost
    share: Share | None = Field(description="Of all calls; null without any.")
    policy: Share = Field(description="What the policy wants: 0.8 cheap, 0.15 embed, 0.05 thinker.")
    p50: Ms | None = Field(alias="provider_latency_p50", description="Of the answers that came; null without any.")
    p95: Ms | None = Field(alias="provider_latency_p95")


class DayMetrics(Contract):
    """Calls of one day to one tier. Days and tiers without a request are left out."""

    day: date
    tier: Tier
    calls: Count
    cost: Cost


class SpreadMetrics(Contract):
    """What several of a kind cost; null where there is none."""

    of: Count = Field(alias="count")
    mean: Microcents | None = Field(alias="mean_microcents", description="Rounded up.")
    p95: Microcents | None = Field(alias="p95_microcents")


class OperationCostMetrics(Contract):
    """What calls for one operation cost."""

    operation: str = Field(examples=["escalate_grade"])
    calls: Count
    cost: Cost
    cap: Microcents | None = Field(
        alias="cap_microcents", description="What one run may cost; null without such a cap."
    )
    per_run: SpreadMetrics = Field(description="Of runs that have a budget of their own: those with a cap.")


class OperationLatencyMetrics(Contract):
    """How long runs of one operation took."""

    operation: str = Field(examples=["create_plan"])
    runs: Count
    p50: Ms
    p95: Ms
    p99: Ms
    target: Ms | None
    limit: Ms | None = Field(alias="timeout", description="The hard limit; null without one.")
    violations: Count = Field(description="Runs that took longer than the target.")
    timeouts: Count = Field(description="Runs that were ended by a time limit.")
    timeout_rate: Share
    hit_rate: Share | None = Field(
        alias="cache_hit_rate", description="Null for an operation that looks into no cache."
    )


class Latency(OperationLatencyMetrics):
    """`refused` counts runs for which the money was not there, `asked` those that looked into a cache, `hits` those
    that found it there.
    """

    refused: Count
    asked: Count
    hits: Count


class FailureMetrics(Contract):
    """Requests that ended in one other way than with an answer, retries too; `not_sent` ones cost nothing."""

    outcome: Outcome
    tier: Tier
    model: str
    calls: Count
    cost: Cost


class EscalationMetrics(Contract):
    """How often the grader asked for a second opinion."""

    made: Count
    graded: Count | None = Field(
        alias="graded_answers",
        description="Answers in adaptive mode that could be judged; null where none are counted.",
    )
    rate: float | None = Field(ge=0, description="One over the other; null where no answer was graded.")


class ChargeMetrics(Contract):
    """How many charges, and their sum."""

    calls: Count
    cost: Cost


class Costly(Contract):
    """What a session cost in these days."""

    session: str
    course: str
    calls: Count
    cost: Cost
    escalations: Count


class Metrics(Contract):
    """Calls to models, their money, and how long operations took."""

    # A call to a model is one question, with its retries and fallbacks: it counts for the tier that answered, else for
    # the last one that was tried, on the day on which the money for that was set aside. What it cost is what was
    # charged for each request; one that is under way has cost nothing yet.

    since: date
    until: date
    planning_latency_p50: Ms | None = Field(description="Of `create_plan`; null where it did not run.")
    planning_latency_p95: Ms | None
    planning_latency_p99: Ms | None
    evaluation_latency_p50: Ms | None = Field(description="Of `evaluate_result`; null where it did not run.")
    evaluation_latency_p95: Ms | None
    reflection_latency_p50: Ms | None = Field(description="Of `reflect_on_result`; null where it did not run.")
    reflection_latency_p95: Ms | None
    operations: tuple[OperationCostMetrics, ...] = Field(alias="cost_per_operation", description="The dearest first.")
    learner_days: SpreadMetrics = Field(
        alias="daily_cost_per_user", description="Of users' days on which a model was asked for them."
    )
    cache_hit_rate: Share | None = Field(description="Of the plan cache; null where nobody looked into it.")
    level: DegradationLevel = Field(alias="degradation_level", description="The common one now, whatever the days.")
    users_degraded: Count = Field(description="Users at a lower level now, by their own slow runs.")
    timeout_errors: Count = Field(description="Runs that were ended by a time limit, of operations that have one.")
    timeout_rate: Share | None = Field(description="Of all runs of those operations; null where none ran.")
    cost_exceeded: Count = Field(description="Runs that were refused because the budget did not allow them.")
    quota_exceeded: Count = Field(description="How often a storage quota refused something.")
    calls: Count = Field(description="To models, retries and fallbacks not counted. The local embedder makes none.")
    cost: Cost
    tiers: tuple[TierMetrics, ...] = Field(alias="usage_by_tier")
    by_day: tuple[DayMetrics, ...] = Field(alias="cost_by_day")
    sessions: SpreadMetrics = Field(alias="cost_per_session", description="Of sessions in which a model was asked.")
    escalations: EscalationMetrics
    unverified: ChargeMetrics = Field(description="Charged at worst, since the provider's count is not known.")
    overruns: ChargeMetrics = Field(description="Calls dearer than what was set aside, and what no budget could bear.")
    latencies: tuple[OperationLatencyMetrics, ...] = Field(alias="latency_by_operation")
    failures: tuple[FailureMetrics, ...]

    def tier(self, tier: Tier) -> TierMetrics:
        """The use of one tier; all are there."""
        return next(use for use in self.tiers if use.tier == tier)


class Figures(Metrics):
    """Metrics with what is for staff alone: sessions by name, and the counts that shares are made of."""

    latencies: tuple[Latency, ...] = Field(alias="latency_by_operation")
    costliest: tuple[Costly, ...]
