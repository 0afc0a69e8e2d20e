"""Figures as the API of metrics shows them."""

from gateway.api_metrics_contracts import (
    ChargeMetrics,
    DayMetrics,
    EscalationMetrics,
    FailureMetrics,
    Metrics,
    OperationCostMetrics,
    OperationLatencyMetrics,
    SpreadMetrics,
    TierMetrics,
)
from gateway.figures_contracts import Charges, Figures, Latency, Spread
from gateway.figures_timings import EVALUATION, PLANNING, REFLECTION, timeouts_of


def metrics_of(figures: Figures) -> Metrics:
    """All of it but the sessions by name, which are nobody's metrics."""
    planning, evaluation, reflection = (figures.latency(name) for name in (PLANNING, EVALUATION, REFLECTION))
    timeouts, runs = timeouts_of(figures.latencies)
    made = figures.escalations
    return Metrics(
        since=figures.days.since,
        until=figures.days.until,
        planning_latency_p50=planning.p50 if planning else None,
        planning_latency_p95=planning.p95 if planning else None,
        planning_latency_p99=planning.p99 if planning else None,
        evaluation_latency_p50=evaluation.p50 if evaluation else None,
        evaluation_latency_p95=evaluation.p95 if evaluation else None,
        reflection_latency_p50=reflection.p50 if reflection else None,
        reflection_latency_p95=reflection.p95 if reflection else None,
        cost_per_operation=_operation_costs(figures),
        daily_cost_per_user=_spread(figures.learner_days),
        cache_hit_rate=planning.hit_rate if planning else None,
        degradation_level=figures.level,
        timeout_errors=timeouts,
        timeout_rate=timeouts / runs if runs else None,
        cost_exceeded=sum(one.refused for one in figures.latencies),
        quota_exceeded=figures.quota_refusals,
        calls=figures.calls,
        cost_microcents=figures.cost,
        usage_by_tier=_tiers(figures),
        cost_by_day=tuple(
            DayMetrics(day=one.day, tier=one.tier, calls=one.calls, cost_microcents=one.cost) for one in figures.by_day
        ),
        cost_per_session=_spread(figures.sessions),
        escalations=EscalationMetrics(made=made.made, graded_answers=made.graded, rate=made.rate),
        unverified=_charges(figures.unverified),
        overruns=_charges(figures.overruns),
        latency_by_operation=tuple(_latency(one) for one in figures.latencies),
        failures=_failures(figures),
    )


def _tiers(figures: Figures) -> tuple[TierMetrics, ...]:
    return tuple(
        TierMetrics(
            tier=one.tier,
            calls=one.calls,
            cost_microcents=one.cost,
            share=one.share,
            policy=one.policy,
            provider_latency_p50=one.p50,
            provider_latency_p95=one.p95,
        )
        for one in figures.tiers
    )


def _operation_costs(figures: Figures) -> tuple[OperationCostMetrics, ...]:
    return tuple(
        OperationCostMetrics(
            operation=one.operation,
            calls=one.calls,
            cost_microcents=one.cost,
            cap_microcents=one.cap,
            per_run=_spread(one.per_run),
        )
        for one in figures.operations
    )


def _latency(one: Latency) -> OperationLatencyMetrics:
    return OperationLatencyMetrics(
        operation=one.operation,
        runs=one.runs,
        p50=one.p50,
        p95=one.p95,
        p99=one.p99,
        target=one.target,
        timeout=one.limit,
        violations=one.violations,
        timeouts=one.timeouts,
        timeout_rate=one.timeout_rate,
        cache_hit_rate=one.hit_rate,
    )


def _failures(figures: Figures) -> tuple[FailureMetrics, ...]:
    return tuple(
        FailureMetrics(outcome=one.outcome, tier=one.tier, model=one.model, calls=one.calls, cost_microcents=one.cost)
        for one in figures.failures
    )


def _spread(spread: Spread) -> SpreadMetrics:
    return SpreadMetrics(count=spread.of, mean_microcents=spread.mean, p95_microcents=spread.p95)


def _charges(charges: Charges) -> ChargeMetrics:
    return ChargeMetrics(calls=charges.calls, cost_microcents=charges.cost)
