"""Who uses Andamio."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models import Q
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
    """A person, or a guest: somebody who started without an account and whose only key is the browser's cookie."""

    role = models.CharField(_("role"), max_length=12, choices=Role.choices, default=Role.LEARNER)
    is_guest = models.BooleanField(_("guest"), default=False)

    objects: ClassVar[AccountManager] = AccountManager()

    class Meta(AbstractUser.Meta):
        constraints = (
            # "Ana" on a phone that capitalises is the "ana" of the desk; Upper is what iexact compares.
            models.UniqueConstraint(Upper("username"), name="username_once_in_any_case"),
            models.CheckConstraint(
                condition=Q(is_guest=False) | Q(role=Role.LEARNER, is_staff=False), name="guest_is_learner"
            ),
            models.CheckConstraint(condition=Q(is_staff=False) | Q(role=Role.STAFF), name="admin_needs_staff_role"),
        )
