"""Forms of accounts."""

from typing import TYPE_CHECKING

from django.contrib.auth.forms import AuthenticationForm, UserCreationForm, UsernameField
from django.forms import TextInput

from accounts.models import User

if TYPE_CHECKING:
    _Base = UserCreationForm[User]
else:  # generic for the type checker only
    _Base = UserCreationForm


_NAME_LENGTH = User._meta.get_field("username").max_length


class SignInForm(AuthenticationForm):
    """Django's own, with the length of names checked: failures are written down with the name they were made with."""

    username = UsernameField(max_length=_NAME_LENGTH, widget=TextInput(attrs={"autofocus": True}))


class SignUpForm(_Base):
    """A name and a password, twice. Saving is the service's."""

    class Meta:
        model = User
        fields = ("username",)
        # One spelling of look-alike characters, as when signing in: else a name could be taken and never be used.
        field_classes = {"username": UsernameField}
