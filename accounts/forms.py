"""Forms of accounts."""

from typing import TYPE_CHECKING

from django.contrib.auth.forms import BaseUserCreationForm, UsernameField

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
        # One spelling of look-alike characters, as when signing in: else a name could be taken that nobody can sign in with.
        field_classes = {"username": UsernameField}
