"""Who uses Andamio."""

from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models, transaction
from django.db.models import F, Q
from django.db.models.functions import Upper
from django.utils.translation import gettext_lazy as _


class Role(models.TextChoices):
    """What a person is here for. Staff audit and may enter the admin; integrators drive the API."""

    LEARNER = "learner", _("learner")
    STAFF = "staff", _("staff")
    INTEGRATOR = "integrator", _("integrator")


class AccountManager(UserManager["User"]):
    """Creates users whose role agrees with their rights."""

    def get_by_natural_key(self, username: str | None) -> "User":
        """The user of that name, in upper or lower case: how people sign in."""
        return self.get(username__iexact=username)

    def create_superuser(
        self, username: str, email: str | None = None, password: str | None = None, **extra_fields: Any
    ) -> "User":
        return super().create_superuser(username, email, password, **{"role": Role.STAFF, **extra_fields})


class User(AbstractUser):
    """A person with an account, or a guest: a learner without one, whose only key is the browser's cookie."""

    role = models.CharField(_("role"), max_length=12, choices=Role.choices, default=Role.LEARNER)
    is_guest = models.BooleanField(_("guest"), default=False)
    managed_by = models.ForeignKey(
        "self", verbose_name=_("managed by"), null=True, blank=True, on_delete=models.PROTECT, related_name="learners"
    )
    pseudonym = models.CharField(_("pseudonym"), max_length=120, blank=True)
    erased_at = models.DateTimeField(_("erased"), null=True, blank=True)

    objects: ClassVar[AccountManager] = AccountManager()

    class Meta(AbstractUser.Meta):
        constraints = (
            # "Ana" on a phone that capitalises is the "ana" of the desk; Upper is what iexact compares.
            models.UniqueConstraint(Upper("username"), name="username_once_in_any_case"),
            models.CheckConstraint(
                condition=Q(is_guest=False) | Q(role=Role.LEARNER, is_staff=False), name="guest_is_learner"
            ),
            models.CheckConstraint(condition=Q(is_staff=False) | Q(role=Role.STAFF), name="admin_needs_staff_role"),
            # A learner whom an integrator's program knows under a name of its own; they cannot sign in.
            models.UniqueConstraint(fields=["managed_by", "pseudonym"], name="pseudonym_once_per_integrator"),
            models.CheckConstraint(
                condition=Q(managed_by__isnull=True, pseudonym="")
                | Q(managed_by__isnull=False, role=Role.LEARNER, is_staff=False, is_guest=False) & ~Q(pseudonym=""),
                name="managed_learner_has_pseudonym",
            ),
            models.CheckConstraint(condition=Q(erased_at__isnull=True) | Q(is_active=False), name="erased_is_inactive"),
        )

    def set_unusable_password(self) -> None:
        super().set_unusable_password()
        self._password = ""  # Django tells of no change here, and saving would end nothing

    def save(self, *args: Any, **kwargs: Any) -> None:
        # With a new password ends what hung on the old one: `services.passwords`.
        with transaction.atomic(savepoint=False):
            super().save(*args, **kwargs)


class Scope(models.TextChoices):
    """What a token may be used for. A role bounds which of them its tokens can have."""

    LESSONS_READ = "lessons:read", _("read lessons")
    SESSIONS_READ = "sessions:read", _("read sessions")
    SESSIONS_WRITE = "sessions:write", _("start sessions and act in them")
    TELEMETRY_READ = "telemetry:read", _("read telemetry")
    GRADING_READ = "grading:read", _("read verdicts and what staff say of them")
    GRADING_WRITE = "grading:write", _("confirm and overrule verdicts")
    BUDGETS_READ = "budgets:read", _("read budgets and prices")
    BUDGETS_WRITE = "budgets:write", _("adjust budgets and set prices")
    METRICS_READ = "metrics:read", _("read metrics of models and operations")
    PLANS_READ = "plans:read", _("read plans, their evaluations and what was learned from them")
    PLANS_WRITE = "plans:write", _("make plans and have results evaluated")
    REFLECTIONS_REVIEW = "reflections:review", _("review reflections")
    QUERY_PLANS_READ = "query-plans:read", _("read query plans")
    QUERY_PLANS_WRITE = "query-plans:write", _("ask questions and correct query plans")
    AUDIT_READ = "audit:read", _("read audit entries")


class ApiToken(models.Model):
    """A key for programs. The token itself is shown once and stored as its SHA-256; `prefix` is how people know it."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, verbose_name=_("user"), on_delete=models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(_("name"), max_length=80)
    prefix = models.CharField(_("begins with"), max_length=16, unique=True)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=40, choices=Scope.choices), verbose_name=_("scopes"))
    created_at = models.DateTimeField(_("created"))
    expires_at = models.DateTimeField(_("expires"))
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)

    class Meta:
        verbose_name, verbose_name_plural = _("API token"), _("API tokens")
        constraints = (
            models.CheckConstraint(condition=Q(digest__regex=r"^[0-9a-f]{64}$"), name="api_token_digest_is_sha256"),
            models.CheckConstraint(condition=Q(scopes__len__gte=1), name="api_token_has_scope"),
            models.CheckConstraint(condition=Q(expires_at__gt=F("created_at")), name="api_token_expires_later"),
        )

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"
