"""Attempts, metrics, patterns and adjustments as the pages of a reflection show them."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.contracts import uuid_of
from memory.contracts import OUTCOME_LABELS, EpisodeOutcome
from memory.models import Episode, StrategyAdjustment
from reflection.admin.diff import Diff, Strategy
from reflection.contracts import (
    AdjustmentProposed,
    Author,
    Metric,
    PatternFound,
    PatternState,
    ValidationResult,
)
from reflection.contracts.failure import UNLEARNED
from reflection.models import AUTHOR_LABELS, DECISION_LABELS, PATTERN_STATE_LABELS, Attempt, Reflection
from reflection.quality.metrics import threshold_of
from reflection.selectors import validation_of

EPISODES_SHOWN = 3
"""At once; the others of a pattern are one click away."""
_CONTENT_SHOWN, _VALUE_SHOWN = 240, 160

METRIC_LABELS: dict[Metric, Promise] = {
    Metric.COMPLETENESS: _("Completeness"),
    Metric.DEPTH: _("Depth"),
    Metric.ACTIONABILITY: _("Actionability"),
    Metric.PATTERNS: _("Validity of patterns"),
    Metric.RELEVANCE: _("Relevance to the task"),
    Metric.NOVELTY: _("Novelty"),
}


@dataclass(frozen=True)
class MetricView:
    """A metric beside its standard. `value` and `met` None: it could not be computed. `bar` and `tick` are of 100."""

    label: Promise
    value: float | None
    threshold: float
    met: bool | None

    @property
    def shown(self) -> str:
        """To two decimals; more where these would equal a threshold that is missed."""
        value = self.value or 0.0
        digits = next((count for count in (2, 3, 4) if (round(value, count) >= self.threshold) == self.met), 5)
        return number_format(round(value, digits), digits)

    @property
    def bar(self) -> int:
        return round(100 * (self.value or 0.0))

    @property
    def tick(self) -> int:
        return round(100 * self.threshold)


@dataclass(frozen=True)
class AdjustmentView:
    """An adjustment with its diff, None where its words are none of the forms. `state`: whether it is in force."""

    proposed: AdjustmentProposed
    diff: Diff | None
    state: str | Promise = ""
    url: str = ""


@dataclass(frozen=True)
class EpisodeView:
    """An episode behind a pattern, in short, or a failure that was never learned from, with the way to its page."""

    url: str
    content: str
    outcome: str | Promise
    at: datetime


@dataclass(frozen=True)
class Behind:
    """Episodes behind a pattern: those at once, those one click away, and how many are gone."""

    first: Sequence[EpisodeView]
    more: Sequence[EpisodeView]
    gone: int


@dataclass(frozen=True)
class PatternView:
    """A pattern with its episodes. `counted`: it has figures, and is not known by its words alone. `and_this`: the
    failure itself was counted too, which was no episode yet.
    """

    found: PatternFound
    state: Promise
    counted: bool
    and_this: bool
    shows: Behind
    contrary: Behind


@dataclass(frozen=True)
class AttemptView:
    """An attempt with the gate's judgement."""

    attempt: Attempt
    kept: bool
    author: str | Promise
    decision: Promise
    validation: ValidationResult
    metrics: Sequence[MetricView]
    patterns: Sequence[PatternView]
    adjustments: Sequence[AdjustmentView]


def metric_views(metrics: Mapping[str, float]) -> list[MetricView]:
    """All six, in the order of RT-010."""
    views = []
    for metric, label in METRIC_LABELS.items():
        value, threshold = metrics.get(metric), threshold_of(metric)
        views.append(MetricView(label, value, threshold, None if value is None else value >= threshold))
    return views


def metric_names(attempt: Attempt) -> list[str]:
    """The metrics in which an attempt falls short, in words, each once."""
    names = [Metric(row["metric"]) for row in attempt.violations if row.get("metric") in set(Metric)]
    return [str(METRIC_LABELS[name]) for name in dict.fromkeys(names)]


def author_shown(attempt: Attempt) -> str | Promise:
    """The author: the rules, a model by its name, or a member of the staff."""
    if attempt.author == Author.STAFF and attempt.by is not None:
        return attempt.by.get_username()
    return attempt.model or AUTHOR_LABELS[Author(attempt.author)]


class AttemptsView:
    """Makes the views of the attempts of one reflection. Two queries for the episodes of all patterns."""

    def __init__(self, attempts: Sequence[Attempt], user_id: int | None) -> None:
        self._patterns = {row.pk: [PatternFound(**pattern) for pattern in row.patterns] for row in attempts}
        self._episodes = episodes_named(user_id, chain.from_iterable(self._patterns.values()))

    def attempt(
        self, attempt: Attempt, strategy: Strategy, *, kept: bool, by_it: Sequence[StrategyAdjustment] = ()
    ) -> AttemptView:
        """`by_it` are the adjustments that it has set."""
        validation = validation_of(attempt)
        return AttemptView(
            attempt=attempt,
            kept=kept,
            author=author_shown(attempt),
            decision=DECISION_LABELS[validation.decision],
            validation=validation,
            metrics=metric_views(validation.metrics),
            patterns=[pattern_view(pattern, self._episodes) for pattern in self._patterns[attempt.pk]],
            adjustments=adjustment_views([AdjustmentProposed(**row) for row in attempt.adjustments], strategy, by_it),
        )


def adjustment_views(
    proposed: Iterable[AdjustmentProposed], strategy: Strategy, by_it: Sequence[StrategyAdjustment] = ()
) -> list[AdjustmentView]:
    """Each with its diff, and with its state where it was set."""
    return [_adjustment(adjustment, strategy, by_it) for adjustment in proposed]


def _adjustment(
    proposed: AdjustmentProposed, strategy: Strategy, by_it: Sequence[StrategyAdjustment]
) -> AdjustmentView:
    adjustment = proposed.adjustment
    if adjustment is None:
        return AdjustmentView(proposed, None)
    diff = strategy.diff(adjustment)
    values = (adjustment.operation, adjustment.setting, adjustment.value, adjustment.text)
    row = next((row for row in by_it if (row.operation, row.setting, row.value, row.text) == values), None)
    if row is None:
        return AdjustmentView(proposed, diff)
    return AdjustmentView(proposed, diff, _state(row), reverse("admin:memory_strategyadjustment_change", args=[row.pk]))


def _state(row: StrategyAdjustment) -> Promise:
    if row.withdrawn_at is not None:
        return pgettext_lazy("adjustment", "withdrawn")
    expired = row.expires_at <= timezone.now()
    return pgettext_lazy("adjustment", "expired") if expired else pgettext_lazy("adjustment", "in force")


def pattern_view(pattern: PatternFound, episodes: Mapping[str, EpisodeView], *, in_attempt: bool = True) -> PatternView:
    """`episodes` are those that are still stored, by id. `in_attempt`: it is part of a reflection on a failure."""
    counted = bool(pattern.total or pattern.support)
    shows, contrary = (_behind(ids, episodes) for ids in (pattern.episodes, pattern.contrary_episodes))
    and_this = in_attempt and pattern.support == len(pattern.episodes) + 1
    return PatternView(pattern, PATTERN_STATE_LABELS[PatternState(pattern.state)], counted, and_this, shows, contrary)


def _behind(ids: Sequence[str], episodes: Mapping[str, EpisodeView]) -> Behind:
    stored = [episodes[id_] for id_ in ids if id_ in episodes]
    return Behind(stored[:EPISODES_SHOWN], stored[EPISODES_SHOWN:], len(ids) - len(stored))


def episodes_named(user_id: int | None, patterns: Iterable[PatternFound]) -> dict[str, EpisodeView]:
    """The episodes of these patterns that are still stored for this user, by id. At most two queries."""
    ids = {id_ for pattern in patterns for id_ in (*pattern.episodes, *pattern.contrary_episodes)}
    if user_id is None or not ids:
        return {}
    episodes = list(filter(None, map(uuid_of, ids)))
    unlearned = [uuid_of(id_.removeprefix(UNLEARNED)) for id_ in ids if id_.startswith(UNLEARNED)]
    views: dict[str, EpisodeView] = {}
    if episodes:
        rows = Episode.objects.filter(user_id=user_id, pk__in=episodes).defer("embedding", "metadata")
        views |= {str(row.pk): _episode(row) for row in rows}
    if unlearned:
        failures = Reflection.objects.filter(evaluation__plan__user=user_id, pk__in=list(filter(None, unlearned)))
        slim = failures.select_related("evaluation__plan").only(
            "created_at", "in_force", "evaluation", "evaluation__plan", "evaluation__plan__task"
        )
        views |= {f"{UNLEARNED}{row.pk}": _failure(row) for row in slim}
    return views


def _episode(row: Episode) -> EpisodeView:
    url, content = reverse("admin:memory_episode_change", args=[row.pk]), Truncator(row.content).chars(_CONTENT_SHOWN)
    return EpisodeView(url, content, row.get_outcome_display(), row.created_at)


def _failure(row: Reflection) -> EpisodeView:
    url = reverse("admin:reflection_reflection_change", args=[row.pk])
    unlearned = pgettext_lazy("episode", "failure, of which no reflection is in force")
    words = OUTCOME_LABELS[EpisodeOutcome.FAILURE] if row.in_force else unlearned
    return EpisodeView(url, Truncator(row.evaluation.plan.task).chars(_CONTENT_SHOWN), words, row.created_at)


def value_shown(value: Any) -> str:
    """The beginning of a value that was read from a result; empty for none."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "" if value is None else Truncator(text).chars(_VALUE_SHOWN)
