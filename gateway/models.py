"""Rows that hold money. Amounts are whole micro-cents; the database refuses what overspends."""

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Account(models.Model):
    """A limit somebody set, and what was spent and is held under it."""

    class Scope(models.TextChoices):
        SESSION = "session"

    scope = models.CharField(max_length=20, choices=Scope.choices)
    key = models.CharField(max_length=80)
    limit = models.BigIntegerField(help_text="micro-cents")
    spent = models.BigIntegerField(default=0, help_text="micro-cents, settled")
    held = models.BigIntegerField(default=0, help_text="micro-cents, reserved and not settled yet")
    escalations_limit = models.PositiveSmallIntegerField()
    escalations_used = models.PositiveSmallIntegerField(default=0)
    opened_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = _("budget account"), _("budget accounts")
        constraints = (
            models.UniqueConstraint(fields=["scope", "key"], name="account_scope_key"),
            models.CheckConstraint(
                condition=Q(limit__gte=0, spent__gte=0, held__gte=0) & Q(spent__lte=F("limit") - F("held")),
                name="account_never_overspent",
            ),
            models.CheckConstraint(
                condition=Q(escalations_used__lte=F("escalations_limit")), name="account_escalations_within_limit"
            ),
        )

    def __str__(self) -> str:
        return f"{self.scope}:{self.key}"


class CachedEmbedding(models.Model):
    """A text's vector by one model, shared by all processes. The text itself is not here, only a keyed hash of it."""

    model = models.CharField(max_length=60)
    digest = models.BinaryField(max_length=32, help_text="HMAC-SHA-256 of the text, keyed with the secret key")
    vector = models.BinaryField(help_text="float32, little endian")
    used_at = models.DateTimeField(help_text="to about a day: what was not used for longest goes first")

    class Meta:
        verbose_name, verbose_name_plural = _("cached embedding"), _("cached embeddings")
        constraints = (models.UniqueConstraint(fields=["model", "digest"], name="cached_embedding_once"),)
        indexes = (models.Index(fields=["used_at"], name="cached_embedding_by_use"),)

    def __str__(self) -> str:
        return f"{self.model} {bytes(self.digest).hex()[:12]}"
