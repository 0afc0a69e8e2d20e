"""Forms of accounts."""

from typing import TYPE_CHECKING, Any

from django.contrib.auth.forms import (
    AuthenticationForm,
    PasswordChangeForm,
    UserChangeForm,
    UserCreationForm,
    UsernameField,
)
from django.core.exceptions import ValidationError
from django.forms import CharField, CheckboxSelectMultiple, Form, IntegerField, MultipleChoiceField, TextInput
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import Role, User
from accounts.sign_in import lockout
from accounts.sign_in.password_work import password_tried
from accounts.sign_in.scopes import scopes_of

if TYPE_CHECKING:
    _Base = UserCreationForm[User]
    _ChangeBase = UserChangeForm[User]
else:  # generic for the type checker only
    _Base, _ChangeBase = UserCreationForm, UserChangeForm


LOCKED_OUT = "locked_out"
_NAME_LENGTH = User._meta.get_field("username").max_length


class SignInForm(AuthenticationForm):
    """Django's own, with the length of names checked: failures are written down with the name they were made with."""

    username = UsernameField(max_length=_NAME_LENGTH, widget=TextInput(attrs={"autofocus": True}))

    def clean(self) -> dict[str, Any]:
        assert self.request is not None
        with password_tried(self.request):
            return super().clean()


class NewPasswordForm(PasswordChangeForm):
    """Django's own. The old password is looked at as at the door, and its failures count with those there: a browser
    left open is no place to guess. An error has the code `LOCKED_OUT` where there were too many.
    """

    def __init__(self, request: HttpRequest, user: User) -> None:
        super().__init__(user, request.POST or None)
        self.request, self.key = request, lockout.key_of_name(request, {User.USERNAME_FIELD: user.get_username()}) or ""

    def clean_old_password(self) -> str:
        with password_tried(self.request):
            if lockout.wait_seconds(self.key, self.request):
                raise ValidationError("", code=LOCKED_OUT)
            try:
                return super().clean_old_password()
            except ValidationError:
                lockout.failure_record(self.key, self.request)
                raise


class SignUpForm(_Base):
    """A name and a password, twice. Saving is the service's."""

    class Meta:
        model = User
        fields = ("username",)
        # One spelling of look-alike characters, as when signing in: else a name could be taken and never be used.
        field_classes = {"username": UsernameField}


class TokenForm(Form):
    """What a token is to be called, may do and how long. The scopes offered are those of the owner's role."""

    name = CharField(
        label=_("Name"), max_length=80, help_text=_("What it is for, so that you know later which one to revoke.")
    )
    scopes = MultipleChoiceField(label=_("What it may do"), widget=CheckboxSelectMultiple)
    days = IntegerField(label=_("Days until it expires"), min_value=1, max_value=366, initial=90)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["scopes"].choices = [(scope.value, scope.label) for scope in scopes_of(user)]  # type: ignore[attr-defined]


class CodeForm(Form):
    """A code of the phone; where one is known already, a recovery code will do as well."""

    code = CharField(
        label=_("Code"),
        max_length=32,
        widget=TextInput(attrs={"autocomplete": "one-time-code", "spellcheck": "false", "autocapitalize": "none"}),
    )


class AccountForm(_ChangeBase):
    """An account as superusers change it. What the database would refuse is an error of the field."""

    def clean_username(self) -> str:
        """A name that no other user has, in upper or lower case."""
        name: str = self.cleaned_data["username"]
        if User.objects.filter(username__iexact=name).exclude(pk=self.instance.pk).exists():
            raise self.instance.unique_error_message(User, ("username",))
        return name

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        role, enters = values.get("role"), values.get("is_staff")
        if self.instance.is_guest and (enters or role != Role.LEARNER):
            self.add_error("role", _("A guest is a learner, and nothing else before they sign up."))
        elif self.instance.managed_by_id and (enters or role != Role.LEARNER):
            self.add_error("role", _("Somebody whom a program manages is a learner, and nothing else."))
        elif enters and role != Role.STAFF:
            self.add_error("role", _("Whoever may enter the administration has the role of staff."))
        return values
