"""What the pages of a reflection show: attempts, metrics, patterns and adjustments, put into words."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from memory.contracts import OUTCOME_LABELS, EpisodeOutcome
from memory.models import Episode, StrategyAdjustment
from reflection.admin_diff import Diff, Strategy
from reflection.contracts import (
    AdjustmentProposed,
    Author,
    Metric,
    PatternFound,
    PatternState,
    ValidationResult,
)
from reflection.failure import UNLEARNED
from reflection.models import AUTHOR_LABELS, DECISION_LABELS, PATTERN_STATE_LABELS, Attempt, Reflection
from reflection.quality import REFLECTION_QUALITY_METRICS
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
class MetricShown:
    """A metric beside its standard. `value` and `met` None: it could not be computed. `bar` and `tick` are of 100."""

    label: Promise
    value: float | None
    threshold: float
    met: bool | None

    @property
    def shown(self) -> str:
        """To two decimals; more where these would stand on a threshold that is missed."""
        value = self.value or 0.0
        digits = next((some for some in (2, 3, 4) if (round(value, some) >= self.threshold) == self.met), 5)
        return number_format(round(value, digits), digits)

    @property
    def bar(self) -> int:
        return round(100 * (self.value or 0.0))

    @property
    def tick(self) -> int:
        return round(100 * self.threshold)


@dataclass(frozen=True)
class AdjustmentShown:
    """An adjustment with its diff, None where its words are none of the forms. `state` says what became of it."""

    proposed: AdjustmentProposed
    diff: Diff | None
    state: str | Promise = ""
    url: str = ""


@dataclass(frozen=True)
class EpisodeShown:
    """An episode behind a pattern, in short, or a failure that was never learned from, with the way to its page."""

    url: str
    content: str
    outcome: str | Promise
    at: datetime


@dataclass(frozen=True)
class Behind:
    """Episodes behind a pattern: those at once, those one click away, and how many are gone."""

    first: Sequence[EpisodeShown]
    more: Sequence[EpisodeShown]
    gone: int


@dataclass(frozen=True)
class PatternShown:
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
class AttemptShown:
    """An attempt with what the gate said of it."""

    attempt: Attempt
    kept: bool
    author: str | Promise
    decision: Promise
    validation: ValidationResult
    metrics: Sequence[MetricShown]
    patterns: Sequence[PatternShown]
    adjustments: Sequence[AdjustmentShown]


def metrics_shown(metrics: Mapping[str, float]) -> list[MetricShown]:
    """All six, in the order of RT-010."""
    standards = {metric: float(REFLECTION_QUALITY_METRICS[metric.value]["min_threshold"]) for metric in Metric}
    return [_metric(metric, metrics.get(metric.value), standards[metric]) for metric in METRIC_LABELS]


def _metric(metric: Metric, value: float | None, threshold: float) -> MetricShown:
    return MetricShown(METRIC_LABELS[metric], value, threshold, None if value is None else value >= threshold)


def metric_names(attempt: Attempt) -> list[str]:
    """The metrics in which an attempt falls short, in words, each once."""
    names = [Metric(one["metric"]) for one in attempt.violations if one.get("metric") in set(Metric)]
    return [str(METRIC_LABELS[name]) for name in dict.fromkeys(names)]


def author_shown(attempt: Attempt) -> str | Promise:
    """Who wrote it: the rules, a model by its name, or somebody of the staff."""
    if attempt.author == Author.STAFF and attempt.by is not None:
        return attempt.by.get_username()
    return attempt.model or AUTHOR_LABELS[Author(attempt.author)]


class Shown:
    """Makes what is shown of the attempts of one reflection. Two queries for all that is behind all patterns."""

    def __init__(self, attempts: Sequence[Attempt], user_id: int | None) -> None:
        self._patterns = {one.pk: [PatternFound(**pattern) for pattern in one.patterns] for one in attempts}
        self._episodes = episodes_named(user_id, (found for all_ in self._patterns.values() for found in all_))

    def attempt(
        self, attempt: Attempt, strategy: Strategy, *, kept: bool, by_it: Sequence[StrategyAdjustment] = ()
    ) -> AttemptShown:
        """`by_it` are the adjustments that it has set."""
        validation = validation_of(attempt)
        return AttemptShown(
            attempt=attempt,
            kept=kept,
            author=author_shown(attempt),
            decision=DECISION_LABELS[validation.decision],
            validation=validation,
            metrics=metrics_shown(validation.metrics),
            patterns=[pattern_shown(found, self._episodes) for found in self._patterns[attempt.pk]],
            adjustments=adjustments_shown([AdjustmentProposed(**one) for one in attempt.adjustments], strategy, by_it),
        )


def adjustments_shown(
    proposed: Iterable[AdjustmentProposed], strategy: Strategy, by_it: Sequence[StrategyAdjustment] = ()
) -> list[AdjustmentShown]:
    """Each with what it changes, and what became of it where it was set."""
    return [_adjustment(one, strategy, by_it) for one in proposed]


def _adjustment(one: AdjustmentProposed, strategy: Strategy, by_it: Sequence[StrategyAdjustment]) -> AdjustmentShown:
    if one.adjustment is None:
        return AdjustmentShown(one, None)
    diff = strategy.diff(one.adjustment)
    for row in by_it:
        wanted = (one.adjustment.operation, one.adjustment.setting, one.adjustment.value, one.adjustment.text)
        if (row.operation, row.setting, row.value, row.text) == wanted:
            url = reverse("admin:memory_strategyadjustment_change", args=[row.pk])
            return AdjustmentShown(one, diff, _state(row), url)
    return AdjustmentShown(one, diff)


def _state(row: StrategyAdjustment) -> Promise:
    if row.withdrawn_at is not None:
        return pgettext_lazy("adjustment", "withdrawn")
    expired = row.expires_at <= timezone.now()
    return pgettext_lazy("adjustment", "expired") if expired else pgettext_lazy("adjustment", "in force")


def pattern_shown(
    found: PatternFound, episodes: Mapping[str, EpisodeShown], *, in_attempt: bool = True
) -> PatternShown:
    """`episodes` are those that are still there, by id. `in_attempt`: as a reflection on a failure has it."""
    counted = bool(found.total or found.support)
    shows, contrary = (_behind(ids, episodes) for ids in (found.episodes, found.contrary_episodes))
    and_this = in_attempt and found.support == len(found.episodes) + 1
    return PatternShown(found, PATTERN_STATE_LABELS[PatternState(found.state)], counted, and_this, shows, contrary)


def _behind(ids: Sequence[str], episodes: Mapping[str, EpisodeShown]) -> Behind:
    there = [episodes[one] for one in ids if one in episodes]
    return Behind(there[:EPISODES_SHOWN], there[EPISODES_SHOWN:], len(ids) - len(there))


def episodes_named(user_id: int | None, patterns: Iterable[PatternFound]) -> dict[str, EpisodeShown]:
    """What is behind these patterns and still there of this user, by id. At most two queries."""
    ids = {one for found in patterns for one in (*found.episodes, *found.contrary_episodes)}
    if user_id is None or not ids:
        return {}
    known = [found for one in ids if (found := uuid_of(one)) is not None]
    unlearned = [uuid_of(one.removeprefix(UNLEARNED)) for one in ids if one.startswith(UNLEARNED)]
    shown: dict[str, EpisodeShown] = {}
    if known:
        rows = Episode.objects.filter(user_id=user_id, pk__in=known).defer("embedding", "metadata")
        shown |= {str(row.pk): _episode(row) for row in rows}
    if unlearned:
        failures = Reflection.objects.filter(evaluation__plan__user=user_id, pk__in=list(filter(None, unlearned)))
        slim = failures.select_related("evaluation__plan").only(
            "created_at", "in_force", "evaluation", "evaluation__plan", "evaluation__plan__task"
        )
        shown |= {f"{UNLEARNED}{row.pk}": _failure(row) for row in slim}
    return shown


def _episode(row: Episode) -> EpisodeShown:
    url, content = reverse("admin:memory_episode_change", args=[row.pk]), Truncator(row.content).chars(_CONTENT_SHOWN)
    return EpisodeShown(url, content, row.get_outcome_display(), row.created_at)


def _failure(row: Reflection) -> EpisodeShown:
    url = reverse("admin:reflection_reflection_change", args=[row.pk])
    unlearned = pgettext_lazy("episode", "failure, of which no reflection is in force")
    words = OUTCOME_LABELS[EpisodeOutcome.FAILURE] if row.in_force else unlearned
    return EpisodeShown(url, Truncator(row.evaluation.plan.task).chars(_CONTENT_SHOWN), words, row.created_at)


def uuid_of(text: str) -> UUID | None:
    """None for what is no such id."""
    try:
        return UUID(text)
    except ValueError:
        return None


def value_shown(value: Any) -> str:
    """The beginning of a value that was read from a result; empty for none."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return "" if value is None else Truncator(text).chars(_VALUE_SHOWN)
