"""Rows of memory: what happened, what a user prefers, what was adjusted for them, and how much room they take."""

import uuid

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from memory.contracts import OUTCOME_LABELS, TASK_TYPE_FORM, TASK_TYPE_LENGTH, AdjustmentOperation, EpisodeOutcome

EPISODES_AT_MOST = 5_000
BYTES_AT_MOST = 50 * 1024 * 1024
DIMENSIONS = 512
_TYPE_OR_NONE = Q(task_type="") | Q(task_type__regex=TASK_TYPE_FORM)


class Episode(models.Model):
    """Something that happened to a user and how it ended. Not read any more after `expires_at`.

    `embedding` is of `content`, by the embedder named in `embedder`. In half precision a row stays in its page, so
    that a scan of one user's thousands touches few.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="episodes"
    )
    task_type = models.CharField(_("task type"), max_length=TASK_TYPE_LENGTH, blank=True)
    content = models.TextField(_("content"))
    outcome = models.CharField(
        _("outcome"), max_length=10, choices=[(one.value, label) for one, label in OUTCOME_LABELS.items()]
    )
    metadata = models.JSONField(_("metadata"), default=dict, blank=True)
    source = models.CharField(
        _("source event"), max_length=120, blank=True, help_text=_("The same event is stored once; empty: nobody said.")
    )
    embedder = models.CharField(max_length=60)
    embedding = HalfVectorField(dimensions=DIMENSIONS)
    bytes = models.PositiveIntegerField(_("bytes"))
    created_at = models.DateTimeField(_("time"))
    expires_at = models.DateTimeField(_("expires"))

    class Meta:
        verbose_name, verbose_name_plural = _("episode"), _("episodes")
        constraints = (
            models.UniqueConstraint(fields=["user", "source"], condition=~Q(source=""), name="episode_once_per_source"),
            models.CheckConstraint(condition=_TYPE_OR_NONE, name="episode_task_type_form"),
            models.CheckConstraint(condition=~Q(content=""), name="episode_says_something"),
            models.CheckConstraint(
                condition=Q(outcome__in=[outcome.value for outcome in EpisodeOutcome]), name="episode_outcome_known"
            ),
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="episode_expires_later"),
        )
        indexes = (
            models.Index(fields=["user", "task_type", "created_at"], name="episode_by_user_and_type"),
            models.Index(fields=["expires_at"], name="episode_by_expiry"),
        )

    def __str__(self) -> str:
        return self.content[:80]


class MemoryRoom(models.Model):
    """How many episodes a user has and how many bytes they take: counted where they are written, so that two writes at
    once cannot both take the last place.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="memory_room"
    )
    episodes = models.PositiveIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(episodes__lte=EPISODES_AT_MOST, bytes__lte=BYTES_AT_MOST), name="memory_within_quota"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user_id}: {self.episodes}"


class Preference(models.Model):
    """What a user wants or cannot have, such as "avoid advanced slopes (injury)". Holds until it is withdrawn."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="preferences"
    )
    task_type = models.CharField(
        _("task type"), max_length=TASK_TYPE_LENGTH, blank=True, help_text=_("Empty: for every task.")
    )
    text = models.CharField(_("text"), max_length=500)
    created_at = models.DateTimeField(_("time"), auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("preference"), _("preferences")
        constraints = (
            models.UniqueConstraint(fields=["user", "task_type", "text"], name="preference_once"),
            models.CheckConstraint(condition=_TYPE_OR_NONE, name="preference_task_type_form"),
            models.CheckConstraint(condition=~Q(text=""), name="preference_says_something"),
        )

    def __str__(self) -> str:
        return self.text[:80]


class StrategyAdjustment(models.Model):
    """A change of strategy that is set for a user, by which reflection. Never deleted before `expires_at`.

    It holds while `withdrawn_at` is None and it has not expired.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="strategy_adjustments"
    )
    task_type = models.CharField(
        _("task type"), max_length=TASK_TYPE_LENGTH, blank=True, help_text=_("Empty: for every task.")
    )
    agent = models.CharField(_("agent"), max_length=31, default="planner")
    reflection_id = models.CharField(_("reflection"), max_length=64)
    position = models.PositiveSmallIntegerField(_("number"), default=1, help_text="among those of its reflection")
    operation = models.CharField(
        _("operation"), max_length=20, choices=[(operation.value, operation.value) for operation in AdjustmentOperation]
    )
    setting = models.CharField(_("setting"), max_length=60)
    value = models.JSONField(_("value"), null=True)
    previous = models.CharField(_("previous value"), max_length=200, null=True, blank=True)  # noqa: DJ001 None: not said
    relative = models.BooleanField(default=False)
    text = models.CharField(_("as written"), max_length=500, blank=True)
    created_at = models.DateTimeField(_("since"))
    expires_at = models.DateTimeField(_("expires"))
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("strategy adjustment"), _("strategy adjustments")
        constraints = (
            models.UniqueConstraint(fields=["user", "reflection_id", "position"], name="adjustment_once"),
            models.CheckConstraint(condition=_TYPE_OR_NONE, name="adjustment_task_type_form"),
            models.CheckConstraint(
                condition=~Q(reflection_id="") & ~Q(setting=""), name="adjustment_says_what_and_why"
            ),
            models.CheckConstraint(
                condition=Q(operation__in=[operation.value for operation in AdjustmentOperation]),
                name="adjustment_operation_known",
            ),
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="adjustment_expires_later"),
        )
        indexes = (
            models.Index(fields=["user", "created_at"], condition=Q(withdrawn_at=None), name="adjustment_in_force"),
            models.Index(fields=["agent", "created_at"], name="adjustment_by_agent"),
        )

    def __str__(self) -> str:
        return f"{self.operation} {self.setting}"
