"""Rows of evaluations. They are kept as they were made; staff answer for them."""

import uuid

import pgtrigger
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from core.models import LeasedWork, Refuse
from evaluation.contracts import Reason
from planning.models import Plan

KEY_LENGTH = 120
_FROZEN = pgtrigger.Update | pgtrigger.Truncate
_SHARE = Q(relevancy_score__range=(0, 1), completeness_score__range=(0, 1))


class Evaluation(models.Model):
    """A result held against a plan. `key` names the event that it is of, so that none is evaluated twice."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    plan = models.ForeignKey(Plan, verbose_name=_("plan"), on_delete=models.CASCADE, related_name="evaluations")
    key = models.CharField(max_length=KEY_LENGTH, blank=True)
    execution_result = models.JSONField(_("result"))
    success = models.BooleanField(_("success"))
    verified = models.PositiveSmallIntegerField(_("criteria that could be checked"))
    errors = models.JSONField(_("errors"), default=list)
    warnings = models.JSONField(_("warnings"), default=list)
    relevancy_score = models.FloatField(_("relevance"))
    relevance = models.JSONField(_("parts of the relevance"), null=True)
    completeness_score = models.FloatField(_("completeness"))
    cost = models.BigIntegerField(_("cost"), default=0, help_text="micro-cents")
    created_at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name, verbose_name_plural = _("evaluation"), _("evaluations")
        constraints = (
            models.UniqueConstraint(fields=["plan", "key"], condition=~Q(key=""), name="evaluation_once_per_key"),
            models.CheckConstraint(condition=_SHARE, name="evaluation_scores_are_shares"),
            models.CheckConstraint(condition=Q(success=False) | Q(verified__gte=1), name="evaluation_success_is_seen"),
            models.CheckConstraint(condition=Q(cost__gte=0), name="evaluation_cost_from_zero"),
        )
        indexes = (models.Index(fields=["-created_at"], name="evaluation_by_time"),)
        triggers = (Refuse(name="evaluation_frozen", operation=_FROZEN),)

    def __str__(self) -> str:
        return str(self.id)


class CriterionCheck(models.Model):
    """What came of one criterion. `met` None: unknown. `evaluator` is as in `CriterionResult`."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="checks", db_index=False)
    position = models.PositiveSmallIntegerField(_("number"))
    criterion = models.CharField(_("criterion"), max_length=500)
    source = models.CharField(_("as written"), max_length=500)
    met = models.BooleanField(_("met"), null=True)
    actual = models.JSONField(_("value read"), null=True)
    expected = models.CharField(_("expected"), max_length=500, blank=True)
    explanation = models.TextField(_("explanation"), blank=True)
    error = models.TextField(_("error"), blank=True)
    reason = models.CharField(_("why unknown"), max_length=20, blank=True, choices=[(r.value, r.value) for r in Reason])
    path = models.CharField(_("read from"), max_length=500, blank=True)
    checked_by = models.CharField(_("checked by"), max_length=10)
    evaluator = models.CharField(_("check and version"), max_length=60, blank=True, default="", db_default="")
    votes = models.JSONField(_("votes"), null=True)

    class Meta:
        verbose_name, verbose_name_plural = _("check of a criterion"), _("checks of criteria")
        ordering = ("position",)
        constraints = (
            models.UniqueConstraint(fields=["evaluation", "position"], name="check_once_per_criterion"),
            models.CheckConstraint(
                condition=Q(met__isnull=False, reason="") | (Q(met=None) & ~Q(reason="")),
                name="check_unknown_has_reason",
            ),
        )
        triggers = (Refuse(name="check_frozen", operation=_FROZEN),)

    def __str__(self) -> str:
        return self.criterion


class PendingReflection(LeasedWork):
    """A failed evaluation that wants to be reflected on: once, by the worker that takes the lease (the layer above)."""

    evaluation = models.OneToOneField(
        Evaluation, verbose_name=_("evaluation"), on_delete=models.CASCADE, related_name="pending_reflection"
    )
    created_at = models.DateTimeField(_("since"))

    class Meta:
        verbose_name, verbose_name_plural = _("pending reflection"), _("pending reflections")
        constraints = (
            models.CheckConstraint(
                condition=Q(state="running", lease_until__isnull=False) | Q(state="done", lease_until=None),
                name="pending_reflection_lease",
            ),
        )
        indexes = (models.Index(fields=["lease_until"], condition=Q(state="running"), name="pending_reflection_open"),)

    def __str__(self) -> str:
        return str(self.evaluation.plan)
