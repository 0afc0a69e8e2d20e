"""Forms of accounts."""

from typing import TYPE_CHECKING

from django.contrib.auth.forms import BaseUserCreationForm

from accounts.models import User

if TYPE_CHECKING:
    _Base = BaseUserCreationForm[User]
else:  # generic for the type checker only
    _Base = BaseUserCreationForm


class SignUpForm(_Base):
    """A name and a password, twice. Saving is the service's."""

    class Meta:
        model = User
        fields = ("username",)
