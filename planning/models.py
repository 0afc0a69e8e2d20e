"""Rows of planning. What makes a plan whole is held by the database too: see `_WHOLE`."""

import uuid

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from pgvector.django import HalfVectorField

from core.models import Refuse
from memory.contracts import TASK_TYPE_FORM, TASK_TYPE_LENGTH
from planning.contracts import LINE_LENGTH, CriterionSource, PlanOutcome, PlanSource

DIMENSIONS = 512
_FROZEN = pgtrigger.Update | pgtrigger.Truncate

SOURCE_LABELS = {
    PlanSource.CACHE: pgettext_lazy("plan", "cache"),
    PlanSource.TEMPLATE: pgettext_lazy("plan", "template"),
    PlanSource.MODEL: pgettext_lazy("plan", "model"),
}
OUTCOME_LABELS = {
    PlanOutcome.SUCCESS: pgettext_lazy("plan", "success"),
    PlanOutcome.FAILURE: pgettext_lazy("plan", "failure"),
    PlanOutcome.UNKNOWN: pgettext_lazy("plan", "unknown"),
}
CRITERION_SOURCE_LABELS = {
    CriterionSource.GIVEN: pgettext_lazy("criterion", "given"),
    CriterionSource.TEMPLATE: pgettext_lazy("criterion", "task type"),
    CriterionSource.TASK: pgettext_lazy("criterion", "task"),
    CriterionSource.PREFERENCE: pgettext_lazy("criterion", "preference"),
    CriterionSource.EXPERIENCE: pgettext_lazy("criterion", "experience"),
    CriterionSource.ADJUSTMENT: pgettext_lazy("criterion", "adjustment"),
    CriterionSource.MODEL: pgettext_lazy("criterion", "model"),
}

# At commit, when everything is there: orders 1 to n, dependencies on earlier steps, something that can be measured.
_WHOLE = """
    IF NOT EXISTS (SELECT FROM planning_plan WHERE id = plan) THEN
        RETURN NULL;  -- it goes as a whole
    END IF;
    IF (SELECT count(*) = 0 OR max("order") <> count(*) FROM planning_step WHERE plan_id = plan) THEN
        RAISE EXCEPTION 'plan %: its steps are not numbered 1 to n', plan USING ERRCODE = 'check_violation';
    END IF;
    IF NOT EXISTS (SELECT FROM planning_criterion WHERE plan_id = plan AND measurable) THEN
        RAISE EXCEPTION 'plan %: no criterion is measurable', plan USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
"""


def _whole(name: str, plan: str, operation: pgtrigger.Operation) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name=name,
        when=pgtrigger.After,
        operation=operation,
        timing=pgtrigger.Deferred,
        declare=[("plan", f"uuid := {plan}")],
        func=_WHOLE,
    )


class Plan(models.Model):
    """A plan for a task. `user` is None for tasks of nobody who is known here; `owner` is whom they are for.

    Only its outcome changes, when it is evaluated.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), null=True, on_delete=models.CASCADE, related_name="plans"
    )
    owner = models.CharField(_("for"), max_length=150)
    task = models.TextField(_("task"))
    task_type = models.CharField(_("task type"), max_length=TASK_TYPE_LENGTH)
    language = models.CharField(_("language"), max_length=5)
    source = models.CharField(
        _("source"), max_length=10, choices=[(member.value, label) for member, label in SOURCE_LABELS.items()]
    )
    desired_result = models.JSONField(_("desired result"))
    config = models.JSONField(_("strategy"))
    constraints = models.JSONField(_("constraints"))
    metadata = models.JSONField(_("where it comes from"))
    cost = models.BigIntegerField(_("cost"), default=0, help_text="micro-cents")
    created_at = models.DateTimeField(_("time"))
    outcome = models.CharField(
        _("outcome"),
        max_length=10,
        blank=True,
        choices=[(member.value, label) for member, label in OUTCOME_LABELS.items()],
        help_text=_("Empty: not evaluated yet."),
    )
    evaluated_at = models.DateTimeField(_("last evaluated"), null=True, blank=True)
    evaluated_by = models.CharField(
        _("evaluated by"),
        max_length=40,
        blank=True,
        default="",
        db_default="",  # of a process that is one release behind
        help_text=_("The app that alone evaluates it. Empty: everyone who may see it."),
    )

    class Meta:
        verbose_name, verbose_name_plural = _("plan"), _("plans")
        constraints = (
            models.CheckConstraint(condition=~Q(task="") & ~Q(owner=""), name="plan_says_what_for_whom"),
            models.CheckConstraint(condition=Q(task_type__regex=TASK_TYPE_FORM), name="plan_task_type_form"),
            models.CheckConstraint(
                condition=Q(source__in=[member.value for member in PlanSource]), name="plan_source_known"
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=["", *(member.value for member in PlanOutcome)]), name="plan_outcome_known"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", evaluated_at=None) | (~Q(outcome="") & Q(evaluated_at__isnull=False)),
                name="plan_outcome_has_time",
            ),
            models.CheckConstraint(condition=Q(cost__gte=0), name="plan_cost_from_zero"),
        )
        indexes = (
            models.Index(fields=["-created_at"], name="plan_by_time"),
            models.Index(fields=["user", "-created_at"], name="plan_by_user"),
        )
        triggers = (_whole("plan_whole", "NEW.id", pgtrigger.Insert),)

    def __str__(self) -> str:
        return self.task[:80]


class Step(models.Model):
    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="steps", db_index=False)
    order = models.PositiveSmallIntegerField(_("number"))
    description = models.CharField(_("description"), max_length=LINE_LENGTH)
    expected_output = models.CharField(_("expected output"), max_length=LINE_LENGTH, blank=True)
    dependencies = ArrayField(models.PositiveSmallIntegerField(), verbose_name=_("after"), default=list, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("step"), _("steps")
        ordering = ("order",)
        constraints = (
            models.UniqueConstraint(fields=["plan", "order"], name="step_once_per_order"),
            models.CheckConstraint(condition=Q(order__gte=1) & ~Q(description=""), name="step_counts_from_one"),
        )
        triggers = (
            Refuse(name="step_frozen", operation=_FROZEN),
            pgtrigger.Trigger(
                name="after_earlier_ones",
                when=pgtrigger.Before,
                operation=pgtrigger.Insert,
                condition=pgtrigger.Condition(
                    'NOT (NEW."order" > ALL (NEW.dependencies) AND 1 <= ALL (NEW.dependencies))'
                ),
                func="""
                    RAISE EXCEPTION 'step % depends on one that is not before it', NEW."order"
                    USING ERRCODE = 'check_violation';
                """,
            ),
            _whole("steps_whole", "coalesce(NEW.plan_id, OLD.plan_id)", pgtrigger.Insert | pgtrigger.Delete),
        )

    def __str__(self) -> str:
        return f"{self.order}. {self.description}"


class Criterion(models.Model):
    """A success criterion of a plan. `parse` is what the grammar made of it, None where nothing."""

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="criteria", db_index=False)
    position = models.PositiveSmallIntegerField(_("number"))
    text = models.CharField(_("criterion"), max_length=LINE_LENGTH)
    measurable = models.BooleanField(_("measurable"))
    verifiable = models.BooleanField(_("verifiable"))
    source = models.CharField(
        _("comes from"),
        max_length=12,
        choices=[(member.value, label) for member, label in CRITERION_SOURCE_LABELS.items()],
    )
    parse = models.JSONField(null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("criterion"), _("criteria")
        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(fields=["plan", "position"], name="criterion_once_per_place"),
            models.CheckConstraint(condition=Q(position__gte=1) & ~Q(text=""), name="criterion_says_something"),
            models.CheckConstraint(
                condition=Q(source__in=[member.value for member in CriterionSource]), name="criterion_source_known"
            ),
        )
        triggers = (
            Refuse(name="criterion_frozen", operation=_FROZEN),
            _whole("criteria_whole", "coalesce(NEW.plan_id, OLD.plan_id)", pgtrigger.Insert | pgtrigger.Delete),
        )

    def __str__(self) -> str:
        return self.text


class CachedPlan(models.Model):
    """A plan that may serve a similar task of the same owner, in the same circumstances (`circumstances`: a hash of
    adjustments, preferences and the learnings of the episodes that mattered). Source: RT-009, "Caches".

    `embedding` is of the task, by `embedder`, which names its version and calibration. `facts` are the task's numbers,
    places, dates, verbs and negations, which must not conflict with those of the task it is to serve.
    """

    plan = models.OneToOneField(Plan, verbose_name=_("plan"), on_delete=models.CASCADE, related_name="cached")
    owner = models.CharField(_("for"), max_length=150)
    task_type = models.CharField(_("task type"), max_length=TASK_TYPE_LENGTH)
    language = models.CharField(_("language"), max_length=5)
    circumstances = models.CharField(max_length=64)
    embedder = models.CharField(max_length=60)
    embedding = HalfVectorField(dimensions=DIMENSIONS)
    facts = models.JSONField()
    created_at = models.DateTimeField(_("time"))
    expires_at = models.DateTimeField(_("expires"))
    hits = models.PositiveIntegerField(_("hits"), default=0)
    last_hit_at = models.DateTimeField(_("last hit"), null=True, blank=True)
    quarantined_at = models.DateTimeField(_("quarantined"), null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("cached plan"), _("cached plans")
        constraints = (
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="cached_plan_expires_later"),
        )
        indexes = (
            models.Index(fields=["owner", "task_type", "circumstances"], name="cached_plan_by_owner"),
            models.Index(fields=["created_at"], name="cached_plan_by_age"),
            models.Index(fields=["expires_at"], name="cached_plan_by_expiry"),
        )

    def __str__(self) -> str:
        return str(self.plan)
