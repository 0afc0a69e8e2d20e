"""Rows of reflections: attempts with the gate's judgement, reviews by staff, patterns, and the cache.

Their user is that of the plan that failed: they are erased and transferred with it.
"""

import uuid

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.models import Refuse
from evaluation.models import Evaluation
from memory.contracts import TASK_TYPE_FORM, TASK_TYPE_LENGTH
from reflection.contracts import Author, Decision, PatternState

_FROZEN = pgtrigger.Update | pgtrigger.Truncate
PATTERNS_AT_MOST, PATTERN_BYTES = 500, 2_048
"""Per user and domain; of each its text, condition and outcome. Source: RT-009, "Storage"."""

DECISION_LABELS = {
    Decision.ACCEPTED: pgettext_lazy("reflection", "accepted"),
    Decision.ACCEPTED_WITH_WARNINGS: pgettext_lazy("reflection", "accepted with warnings"),
    Decision.REJECTED: pgettext_lazy("reflection", "rejected"),
}
AUTHOR_LABELS = {
    Author.FACTS: pgettext_lazy("reflection", "rules"),
    Author.MODEL: pgettext_lazy("reflection", "model"),
    Author.STAFF: pgettext_lazy("reflection", "staff"),
}
PATTERN_STATE_LABELS = {
    PatternState.PROVISIONAL: pgettext_lazy("pattern", "provisional"),
    PatternState.ESTABLISHED: pgettext_lazy("pattern", "established"),
    PatternState.RETIRED: pgettext_lazy("pattern", "retired"),
}


class Review(models.TextChoices):
    """The state of a reflection after the gate. An edit by staff approves it; a reflection on a result that another has
    replaced is superseded.
    """

    NONE = "", pgettext_lazy("reflection", "not reviewed")
    APPROVED = "approved", pgettext_lazy("reflection", "approved")
    REJECTED = "rejected", pgettext_lazy("reflection", "rejected by staff")
    SUPERSEDED = "superseded", pgettext_lazy("reflection", "another result counts")


class Reflection(models.Model):
    """The reflection on a failed evaluation: one for each.

    `decision` is the gate's, on the best attempt when it was made, and stays; `review` is what staff said later.
    `is_first`: no earlier reflection of this user was accepted. `kept` is the attempt that counts. It feeds memory and
    adjustments while `in_force`. Of what it cost, `cost` is micro-cents.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    evaluation = models.OneToOneField(
        Evaluation, verbose_name=_("evaluation"), on_delete=models.CASCADE, related_name="reflection"
    )
    task_type = models.CharField(_("task type"), max_length=TASK_TYPE_LENGTH, blank=True)
    language = models.CharField(_("language"), max_length=5)
    is_first = models.BooleanField(_("the user's first"), default=False)
    decision = models.CharField(
        _("gate"), max_length=24, choices=[(member.value, label) for member, label in DECISION_LABELS.items()]
    )
    review = models.CharField(_("review"), max_length=10, blank=True, choices=Review.choices, default=Review.NONE)
    in_force = models.BooleanField(_("in force"), default=False)
    version = models.PositiveSmallIntegerField(_("version"), default=1, help_text=_("One more with each review."))
    kept = models.OneToOneField(
        "Attempt", verbose_name=_("attempt that counts"), null=True, on_delete=models.RESTRICT, related_name="kept_for"
    )
    features = models.JSONField(
        _("features"), default=list, help_text=_("What holds of the failure, as patterns are looked for in it.")
    )
    fallback = models.CharField(
        _("why no model was followed"),
        max_length=300,
        blank=True,
        help_text=_("Empty: no model was asked, or it was followed."),
    )
    cost = models.BigIntegerField(_("cost"), default=0, help_text="micro-cents")
    created_at = models.DateTimeField(_("time"))
    reviewed_at = models.DateTimeField(_("reviewed"), null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("reflection"), _("reflections")
        constraints = (
            models.CheckConstraint(
                condition=Q(decision__in=[decision.value for decision in Decision]), name="reflection_decision_known"
            ),
            models.CheckConstraint(condition=Q(review__in=Review.values), name="reflection_review_known"),
            models.CheckConstraint(
                condition=Q(review="", reviewed_at=None) | (~Q(review="") & Q(reviewed_at__isnull=False)),
                name="reflection_review_has_time",
            ),
            # Nothing that the gate held back acts before somebody approved it, and nothing that somebody rejected.
            models.CheckConstraint(
                condition=Q(in_force=False) | Q(review="approved") | Q(review="", decision="accepted"),
                name="reflection_in_force_is_let_through",
            ),
            models.CheckConstraint(condition=Q(cost__gte=0), name="reflection_cost_from_zero"),
        )
        indexes = (
            models.Index(fields=["-created_at"], name="reflection_by_time"),
            models.Index(
                fields=["created_at"],
                condition=Q(decision="accepted_with_warnings", review=""),
                name="reflection_to_review",
            ),
        )

    def __str__(self) -> str:
        return str(self.id)


class Attempt(models.Model):
    """One version of a reflection, with the gate's judgement. Kept unchanged, for audit.

    `patterns` are `contracts.PatternFound`, `adjustments` are `contracts.AdjustmentProposed`, `violations` are
    `contracts.Violation`, as JSON; `metrics` are by name. `quality_version` is of the gate that judged it, empty for
    attempts from before gates had versions.
    """

    reflection = models.ForeignKey(Reflection, on_delete=models.CASCADE, related_name="attempts", db_index=False)
    number = models.PositiveSmallIntegerField(_("number"))
    author = models.CharField(
        _("written by"), max_length=10, choices=[(member.value, label) for member, label in AUTHOR_LABELS.items()]
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), null=True, on_delete=models.PROTECT, related_name="+"
    )
    model = models.CharField(_("model"), max_length=120, blank=True)
    analysis = models.TextField(_("analysis"), blank=True)
    patterns = models.JSONField(_("patterns"), default=list)
    adjustments = models.JSONField(_("adjustments"), default=list)
    learning = models.TextField(_("learning"), blank=True)
    decision = models.CharField(
        _("gate"), max_length=24, choices=[(member.value, label) for member, label in DECISION_LABELS.items()]
    )
    is_valid = models.BooleanField(_("meets every standard"))
    quality_score = models.FloatField(_("quality"))
    quality_version = models.CharField(_("version"), max_length=20, blank=True, default="", db_default="")
    metrics = models.JSONField(_("metrics"))
    violations = models.JSONField(_("violations"), default=list)
    created_at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name, verbose_name_plural = _("attempt at a reflection"), _("attempts at reflections")
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["reflection", "number"], name="attempt_once_per_number"),
            models.CheckConstraint(condition=Q(number__gte=1), name="attempt_counts_from_one"),
            models.CheckConstraint(
                condition=Q(decision__in=[decision.value for decision in Decision]), name="attempt_decision_known"
            ),
            models.CheckConstraint(condition=Q(quality_score__range=(0, 1)), name="attempt_quality_is_a_share"),
            models.CheckConstraint(
                condition=Q(author="staff", by__isnull=False) | (~Q(author="staff") & Q(by=None)),
                name="attempt_by_staff_has_name",
            ),
        )
        triggers = (Refuse(name="attempt_frozen", operation=_FROZEN),)

    def __str__(self) -> str:
        return f"{self.reflection_id} {self.number}"


class ReflectionReview(models.Model):
    """A review of a reflection by staff, with its reason. Immutable."""

    class Action(models.TextChoices):
        APPROVE = "approve", pgettext_lazy("review", "approved")
        REJECT = "reject", pgettext_lazy("review", "rejected")
        EDIT = "edit", pgettext_lazy("review", "edited and approved")

    reflection = models.ForeignKey(Reflection, on_delete=models.CASCADE, related_name="reviews")
    action = models.CharField(_("what was done"), max_length=10, choices=Action.choices)
    reason = models.CharField(_("reason"), max_length=500)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("by"), on_delete=models.PROTECT, related_name="reflection_reviews"
    )
    attempt = models.ForeignKey(
        Attempt, verbose_name=_("attempt"), null=True, on_delete=models.RESTRICT, related_name="reviews"
    )
    at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name, verbose_name_plural = _("review of a reflection"), _("reviews of reflections")
        ordering = ("at", "pk")
        constraints = (
            models.CheckConstraint(
                condition=Q(action__in=["approve", "reject", "edit"]), name="reflection_review_action_known"
            ),
            models.CheckConstraint(condition=~Q(reason=""), name="reflection_review_has_reason"),
        )
        triggers = (Refuse(name="reflection_review_frozen", operation=_FROZEN),)

    def __str__(self) -> str:
        return f"{self.action} {self.reflection_id}"


class Pattern(models.Model):
    """Something that keeps happening to a user in tasks of a type, as `contracts.PatternFound` has it, counted when it
    was last validated. `digest` is of condition and outcome, which say what it is.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="patterns"
    )
    domain = models.CharField(_("task type"), max_length=TASK_TYPE_LENGTH)
    digest = models.CharField(max_length=64)
    condition = models.JSONField(_("condition"))
    outcome = models.CharField(_("outcome"), max_length=500)
    text = models.CharField(_("pattern"), max_length=500)
    language = models.CharField(_("language"), max_length=5)
    support = models.PositiveSmallIntegerField(_("episodes that show it"))
    contrary = models.PositiveSmallIntegerField(_("contrary episodes"))
    total = models.PositiveSmallIntegerField(_("episodes looked at"))
    confidence = models.FloatField(_("confidence"))
    lower_bound = models.FloatField(_("lower bound"), help_text=_("Of the Wilson interval at 95 %."))
    state = models.CharField(
        _("state"), max_length=12, choices=[(member.value, label) for member, label in PATTERN_STATE_LABELS.items()]
    )
    created_at = models.DateTimeField(_("since"))
    validated_at = models.DateTimeField(_("last validated"))

    class Meta:
        verbose_name, verbose_name_plural = _("pattern"), _("patterns")
        constraints = (
            models.UniqueConstraint(fields=["user", "domain", "digest"], name="pattern_once"),
            models.CheckConstraint(condition=Q(domain__regex=TASK_TYPE_FORM), name="pattern_domain_form"),
            models.CheckConstraint(
                condition=Q(state__in=[state.value for state in PatternState]), name="pattern_state_known"
            ),
            models.CheckConstraint(
                condition=Q(confidence__range=(0, 1), lower_bound__range=(0, 1)), name="pattern_shares"
            ),
            models.CheckConstraint(condition=~Q(text=""), name="pattern_says_something"),
        )
        indexes = (models.Index(fields=["validated_at"], name="pattern_by_validation"),)

    def __str__(self) -> str:
        return self.text[:80]


class CachedWork(models.Model):
    """A cached value. Source: RT-009, "Caches" and "Storage". `key` is a digest of all that it follows from,
    `owner` the user.
    """

    class Kind(models.TextChoices):
        REFLECTION = "reflection"
        PATTERNS = "patterns"

    kind = models.CharField(max_length=10, choices=Kind.choices)
    owner = models.CharField(max_length=150)
    key = models.CharField(max_length=64)
    value = models.JSONField()
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["kind", "key"], name="cached_work_once"),
            models.CheckConstraint(condition=Q(kind__in=["reflection", "patterns"]), name="cached_work_kind_known"),
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="cached_work_expires_later"),
        )
        indexes = (
            models.Index(fields=["kind", "owner", "created_at"], name="cached_work_by_owner"),
            models.Index(fields=["expires_at"], name="cached_work_by_expiry"),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
