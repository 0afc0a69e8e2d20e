"""Rows of the consult. All but a question's words and a staff member's opinion are immutable in the database."""

import uuid

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from core.models import Refuse
from routing.contracts.values import DOMAIN_KEYS, Mode
from routing.models.row_rules import (
    DECISION_AUDITED,
    DECISION_FITS,
    ENTRY_FITS,
    ONLY_ERASED,
    OUTPUT_AUDITED,
    OUTPUT_FITS,
    PLAN_AGREES,
    PLAN_AUDITED,
    QUESTION_AUDITED,
)
from telemetry.models import HASH_FORM, HASH_LENGTH, ChainHead

DOMAIN_LABELS = {
    "market": pgettext_lazy("domain", "market"),
    "brand": pgettext_lazy("domain", "brand"),
    "tax": pgettext_lazy("domain", "tax"),
    "transition": pgettext_lazy("domain", "transition"),
    "system": pgettext_lazy("domain", "system"),
    "growth": pgettext_lazy("domain", "growth"),
    "lab": pgettext_lazy("domain", "laboratory"),
}
MODE_LABELS: dict[Mode, object] = {"fast": pgettext_lazy("mode", "fast"), "deep": pgettext_lazy("mode", "deep")}
CONFIDENCE_LABELS = {
    "low": pgettext_lazy("confidence", "low"),
    "medium": pgettext_lazy("confidence", "medium"),
    "high": pgettext_lazy("confidence", "high"),
}
PHASES = (2, 3, 4, 5)
_NEVER = pgtrigger.Update | pgtrigger.Delete | pgtrigger.Truncate


def _before(name: str, func: str, operation: pgtrigger.Operation = pgtrigger.Insert) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(name=name, when=pgtrigger.Before, operation=operation, func=func)


def _at_commit(name: str, func: str) -> pgtrigger.Trigger:
    return pgtrigger.Trigger(
        name=name, when=pgtrigger.After, operation=pgtrigger.Insert, timing=pgtrigger.Deferred, func=func
    )


class PackVersion(models.Model):
    """A pack of domains as it was when the first plan was made with it. A version is never changed in place."""

    name = models.CharField(_("name"), max_length=64)
    version = models.CharField(_("version"), max_length=32)
    digest = models.CharField(_("SHA-256"), max_length=HASH_LENGTH)
    content = models.JSONField(_("content"))
    created_at = models.DateTimeField(_("first used"))

    class Meta:
        verbose_name, verbose_name_plural = _("pack version"), _("pack versions")
        constraints = (
            models.UniqueConstraint(fields=["name", "version"], name="pack_version_once"),
            models.CheckConstraint(condition=Q(digest__regex=HASH_FORM), name="pack_digest_is_sha256"),
        )
        triggers = (Refuse(name="immutable", operation=_NEVER),)

    def __str__(self) -> str:
        return f"{self.name}@{self.version}"


class Question(models.Model):
    """A question of a user. The words can be erased, with the salt of their hash; audit entries keep the hash.

    The message is kept as UTF-8 (`surrogatepass`): unchanged, also where PostgreSQL's text could not hold it.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.PROTECT, related_name="questions"
    )
    message = models.BinaryField(_("message"), null=True)
    salt = models.BinaryField(null=True)
    digest = models.CharField(_("hash of the message"), max_length=HASH_LENGTH)
    language = models.CharField(_("language"), max_length=5)
    request_key = models.CharField(max_length=HASH_LENGTH, blank=True)
    created_at = models.DateTimeField(_("time"))
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("question"), _("questions")
        constraints = (
            models.UniqueConstraint(
                fields=["user", "request_key"], condition=~Q(request_key=""), name="question_once_per_key"
            ),
            models.CheckConstraint(condition=Q(digest__regex=HASH_FORM), name="question_digest_is_sha256"),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True, message__isnull=False, salt__isnull=False)
                | Q(erased_at__isnull=False, message__isnull=True, salt__isnull=True),
                name="question_erased_whole",
            ),
        )
        indexes = (models.Index(fields=["user", "-created_at"], name="question_by_user"),)
        triggers = (
            Refuse(name="kept", operation=pgtrigger.Delete | pgtrigger.Truncate),
            _before("only_erased", ONLY_ERASED, pgtrigger.Update),
            _at_commit("question_audited", QUESTION_AUDITED),
        )

    def __str__(self) -> str:
        return str(self.id)

    @property
    def text(self) -> str | None:
        """The words as they can be shown and sent: half surrogates replaced. None once they are erased."""
        return None if self.message is None else bytes(self.message).decode("utf-8", "replace")


class QueryPlan(models.Model):
    """The plan of a question. `corrects` is the earlier plan that this one corrects; `reading` is its basis."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(
        Question, verbose_name=_("question"), on_delete=models.PROTECT, related_name="query_plans"
    )
    corrects = models.OneToOneField(
        "self", verbose_name=_("corrects"), null=True, blank=True, on_delete=models.PROTECT, related_name="corrected_by"
    )
    correlation_id = models.UUIDField(_("correlation id"), db_index=True)
    plan = models.JSONField(_("plan"))
    schema_version = models.CharField(_("schema"), max_length=32)
    mode = models.CharField(_("mode"), max_length=4, choices=list(MODE_LABELS.items()))
    domain_hint = models.CharField(_("domain hint"), max_length=10)
    domains = ArrayField(
        models.CharField(max_length=10, choices=list(DOMAIN_LABELS.items())), verbose_name=_("domains")
    )
    confidence = models.CharField(_("confidence"), max_length=6, choices=list(CONFIDENCE_LABELS.items()))
    probability = models.FloatField(_("probability"), help_text=_("That the plan has the right domain: 0 to 1."))
    flags = ArrayField(models.CharField(max_length=64), verbose_name=_("flags"), default=list, blank=True)
    phase = models.PositiveSmallIntegerField(_("phase"))
    pack = models.ForeignKey(PackVersion, verbose_name=_("pack"), on_delete=models.PROTECT, related_name="query_plans")
    router_version = models.CharField(_("router"), max_length=32)
    model_used = models.CharField(_("model"), max_length=120, blank=True)
    reading = models.JSONField(_("what decided"))
    created_at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name, verbose_name_plural = _("query plan"), _("query plans")
        constraints = (
            models.CheckConstraint(condition=Q(mode__in=["fast", "deep"]), name="query_plan_mode_known"),
            models.CheckConstraint(
                condition=Q(confidence__in=["low", "medium", "high"]), name="query_plan_confidence_known"
            ),
            models.CheckConstraint(
                condition=Q(domains__len__gte=1, domains__len__lte=3)
                & (Q(mode="deep") | Q(domains__len__lte=2))
                & Q(domains__contained_by=list(DOMAIN_KEYS)),
                name="query_plan_one_to_three_domains",
            ),
            models.CheckConstraint(
                condition=(Q(domains__len=1) | ~Q(domains__0=F("domains__1")))
                & (~Q(domains__len=3) | ~Q(domains__2=F("domains__0")) & ~Q(domains__2=F("domains__1"))),
                name="query_plan_domains_differ",
            ),
            models.CheckConstraint(
                condition=Q(probability__gte=0, probability__lte=1), name="query_plan_probability_is_one"
            ),
            models.CheckConstraint(condition=Q(phase__in=PHASES), name="query_plan_phase_known"),
            models.CheckConstraint(condition=~Q(corrects=F("id")), name="query_plan_corrects_another"),
        )
        indexes = (
            models.Index(fields=["-created_at"], name="query_plan_by_time"),
            models.Index(fields=["confidence", "-created_at"], name="query_plan_by_confidence"),
        )
        triggers = (
            Refuse(name="immutable", operation=_NEVER),
            _before("query_plan_agrees", PLAN_AGREES),
            _at_commit("query_plan_audited", PLAN_AUDITED),
        )

    def __str__(self) -> str:
        return str(self.id)


class GovernorDecision(models.Model):
    """The decision on a plan."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    query_plan = models.OneToOneField(
        QueryPlan, verbose_name=_("query plan"), on_delete=models.PROTECT, related_name="decision"
    )
    decision = models.JSONField(_("decision"))
    schema_version = models.CharField(_("schema"), max_length=32)
    recommendation = models.CharField(_("recommendation"), max_length=10)
    confidence = models.CharField(_("confidence"), max_length=6, choices=list(CONFIDENCE_LABELS.items()))
    flags = ArrayField(models.CharField(max_length=64), verbose_name=_("flags"), default=list, blank=True)
    strategic_mode_version = models.CharField(_("strategic mode"), max_length=64)
    created_at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name, verbose_name_plural = _("decision"), _("decisions")
        constraints = (
            models.CheckConstraint(
                condition=Q(recommendation__in=["execute", "postpone", "reframe", "discard"]),
                name="decision_recommendation_known",
            ),
            models.CheckConstraint(
                condition=Q(confidence__in=["low", "medium", "high"]), name="decision_confidence_known"
            ),
        )
        triggers = (
            Refuse(name="immutable", operation=_NEVER),
            _before("decision_fits", DECISION_FITS),
            _at_commit("decision_audited", DECISION_AUDITED),
        )

    def __str__(self) -> str:
        return str(self.id)


class SynthesizerOutput(models.Model):
    """The answer to the asker."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    decision = models.OneToOneField(
        GovernorDecision, verbose_name=_("decision"), on_delete=models.PROTECT, related_name="output"
    )
    output = models.JSONField(_("output"))
    schema_version = models.CharField(_("schema"), max_length=32)
    created_at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name, verbose_name_plural = _("output"), _("outputs")
        triggers = (
            Refuse(name="immutable", operation=_NEVER),
            _before("output_fits", OUTPUT_FITS),
            _at_commit("output_audited", OUTPUT_AUDITED),
        )

    def __str__(self) -> str:
        return str(self.id)


class LabelledExample(models.Model):
    """A correction of a question's domain, as a possible example of a pack. Its words are the question's."""

    class State(models.TextChoices):
        WAITS = "waits", pgettext_lazy("example", "waits")
        ACCEPTED = "accepted", pgettext_lazy("example", "accepted")
        DISMISSED = "dismissed", pgettext_lazy("example", "dismissed")

    question = models.OneToOneField(
        Question, verbose_name=_("question"), on_delete=models.PROTECT, related_name="labelled"
    )
    plan = models.OneToOneField(
        QueryPlan, verbose_name=_("corrected plan"), on_delete=models.PROTECT, related_name="labelled"
    )
    was = models.CharField(_("understood as"), max_length=10, choices=list(DOMAIN_LABELS.items()))
    domain = models.CharField(_("is about"), max_length=10, choices=list(DOMAIN_LABELS.items()))
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.WAITS)
    reviewed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        verbose_name=_("reviewed by"),
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
    )
    reviewed_at = models.DateTimeField(_("reviewed"), null=True, blank=True)
    created_at = models.DateTimeField(_("time"))

    class Meta:
        verbose_name, verbose_name_plural = _("labelled example"), _("labelled examples")
        constraints = (
            models.CheckConstraint(
                condition=Q(domain__in=DOMAIN_KEYS, was__in=DOMAIN_KEYS), name="labelled_example_domain_known"
            ),
            models.CheckConstraint(
                condition=Q(state="waits", reviewed_at__isnull=True)
                | Q(state__in=["accepted", "dismissed"], reviewed_at__isnull=False),
                name="labelled_example_reviewed_has_time",
            ),
        )
        indexes = (models.Index(fields=["state", "-created_at"], name="labelled_example_by_state"),)

    def __str__(self) -> str:
        return f"{self.was} → {self.domain}"


class AuditChain(ChainHead):
    """The head of the audit entries of one person. Appending holds this row's lock."""

    key = models.CharField(_("chain"), max_length=64, primary_key=True)
    head_hash = models.CharField(_("hash of the last entry"), max_length=HASH_LENGTH)

    class Meta(ChainHead.Meta):
        verbose_name, verbose_name_plural = _("audit chain"), _("audit chains")


class AuditEntry(models.Model):
    """A question with its plan, decision and answer, or its error. Rows are only inserted.

    `hash` is the SHA-256 of everything else and of the entry before, `signature` the HMAC of that hash with the key
    that `key_id` names. `subject` is the user at that time. Source: related-facts, "Audit log v1".
    """

    class Status(models.TextChoices):
        SUCCESS = "success", pgettext_lazy("audit entry", "success")
        ERROR = "error", pgettext_lazy("audit entry", "error")
        PARTIAL = "partial", pgettext_lazy("audit entry", "partial")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    chain = models.ForeignKey(
        AuditChain, on_delete=models.PROTECT, related_name="entries", db_index=False, verbose_name=_("chain")
    )
    seq = models.IntegerField(_("number"))
    timestamp = models.DateTimeField(_("time"))
    correlation_id = models.UUIDField(_("correlation id"), db_index=True)
    subject = models.CharField(_("user"), max_length=64)
    question = models.ForeignKey(
        Question, verbose_name=_("question"), on_delete=models.PROTECT, related_name="audit_entries"
    )
    message_digest = models.CharField(_("hash of the message"), max_length=HASH_LENGTH)
    query_plan = models.ForeignKey(
        QueryPlan, verbose_name=_("query plan"), null=True, on_delete=models.PROTECT, related_name="audit_entries"
    )
    governor_decision = models.ForeignKey(
        GovernorDecision, verbose_name=_("decision"), null=True, on_delete=models.PROTECT, related_name="audit_entries"
    )
    synthesizer_output = models.ForeignKey(
        SynthesizerOutput, verbose_name=_("output"), null=True, on_delete=models.PROTECT, related_name="audit_entries"
    )
    plan_snapshot = models.JSONField(_("plan"), null=True)
    decision_snapshot = models.JSONField(_("decision"), null=True)
    output_snapshot = models.JSONField(_("output"), null=True)
    versions = models.JSONField(_("versions"))
    status = models.CharField(_("status"), max_length=8, choices=Status.choices)
    error_message = models.TextField(_("error"), blank=True)
    warnings = models.JSONField(_("warnings"), default=list)
    model_used = models.CharField(_("model"), max_length=120, blank=True)
    stored_at = models.DateTimeField(_("stored"))
    retention_days = models.PositiveIntegerField(_("kept for at least"), help_text=_("days"))
    previous_hash = models.CharField(_("hash of the entry before"), max_length=HASH_LENGTH)
    hash = models.CharField(_("checksum"), max_length=HASH_LENGTH)
    key_id = models.CharField(_("key"), max_length=16)
    signature = models.CharField(_("signature"), max_length=HASH_LENGTH)

    class Meta:
        verbose_name, verbose_name_plural = _("audit entry"), _("audit entries")
        constraints = (
            models.UniqueConstraint(name="audit_entry_once_per_place", fields=["chain", "seq"]),
            models.CheckConstraint(name="audit_entry_seq_from_one", condition=Q(seq__gte=1)),
            models.CheckConstraint(
                name="audit_entry_status_known", condition=Q(status__in=["success", "error", "partial"])
            ),
            models.CheckConstraint(
                name="audit_entry_error_says_why", condition=~Q(status="error") | ~Q(error_message="")
            ),
            models.CheckConstraint(
                name="audit_entry_success_has_no_error", condition=~Q(status="success") | Q(error_message="")
            ),
            models.CheckConstraint(
                name="audit_entry_success_has_plan", condition=Q(status="error") | Q(plan_snapshot__isnull=False)
            ),
            models.CheckConstraint(
                name="audit_entry_snapshots_with_rows",
                condition=Q(query_plan__isnull=True, plan_snapshot__isnull=True)
                | Q(query_plan__isnull=False, plan_snapshot__isnull=False),
            ),
            models.CheckConstraint(
                name="audit_entry_hashes_are_sha256",
                condition=Q(
                    hash__regex=HASH_FORM,
                    previous_hash__regex=HASH_FORM,
                    signature__regex=HASH_FORM,
                    message_digest__regex=HASH_FORM,
                ),
            ),
        )
        indexes = (
            models.Index(name="audit_entry_by_time", fields=["-timestamp"]),
            models.Index(name="audit_entry_by_status", fields=["status", "-timestamp"]),
        )
        triggers = (Refuse(name="append_only", operation=_NEVER), _before("entry_fits", ENTRY_FITS))

    def __str__(self) -> str:
        return f"{self.chain_id} {self.seq}"
