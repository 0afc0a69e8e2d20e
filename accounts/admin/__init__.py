"""People and their tokens, for superusers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import django_otp.plugins.otp_static.admin
import django_otp.plugins.otp_totp.admin  # noqa: F401 - registered first, so that they can be taken out below
from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext, pgettext_lazy
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice

from accounts import services
from accounts.admin.erasing import erase_learners
from accounts.models import ApiToken, User
from accounts.selectors import second_factor_of, tokens_working
from accounts.views.forms import AccountForm
from accounts.views.passwords import tokens_revoked_text
from core.admin.tools import ReadOnlyAdmin, column

if TYPE_CHECKING:
    _Base = UserAdmin[User]
else:  # generic for the type checker only
    _Base = UserAdmin

# Their pages show keys and codes in the clear. A lost second factor is reset with the person's row instead.
admin.site.unregister([TOTPDevice, StaticDevice])

_READ_ONLY = ("is_guest", "managed_by", "pseudonym", "second_factor", "erased_at")


@admin.register(User)
class AccountAdmin(_Base):
    """Django's own user admin, with what is ours."""

    form = AccountForm
    list_display = ("username", "role", "is_guest", "managed_by", "is_active", "last_login", "date_joined")
    list_filter = ("role", "is_guest", "is_active")
    list_select_related = ("managed_by",)
    search_fields = (*UserAdmin.search_fields, "pseudonym")
    show_full_result_count = False
    fieldsets = (*(UserAdmin.fieldsets or ()), (_("Andamio"), {"fields": ("role", *_READ_ONLY)}))
    readonly_fields = (*_READ_ONLY, "last_login", "date_joined")
    actions = (erase_learners, "reset_second_factor")
    change_user_password_template = "admin/accounts/user/change_password.html"  # noqa: S105 - a template

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Refused for an erased user: a name written there would stay."""
        return (obj is None or obj.erased_at is None) and super().has_change_permission(request, obj)

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Tokens end with the role that they were made for, and with the account."""
        if not change:
            return super().save_model(request, obj, form, change)
        self._say_revoked(request, services.account_change(account=obj))
        return None

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """Tokens end with the password."""
        user = self.get_object(request, unquote(id))
        before = tokens_working(user) if user else 0
        response = super().user_change_password(request, id, form_url)
        self._say_revoked(request, before - tokens_working(user) if user else 0)
        return response

    def _say_revoked(self, request: HttpRequest, count: int) -> None:
        if count:
            self.message_user(request, tokens_revoked_text(count), messages.WARNING)

    def get_actions(self, request: HttpRequest) -> Any:
        return super().get_actions(request) if _is_superuser(request) else {}

    @admin.display(description=_("second factor"))
    def second_factor(self, user: User) -> str | Promise:
        device = second_factor_of(user) if user.pk else None
        if device is None:
            return _("not set up")
        return _("set up; %(count)s recovery codes left") % {"count": device.recovery_codes}

    @admin.action(description=_("Reset the second factor"))
    def reset_second_factor(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        """Remove the second factor of a user who lost phone and recovery codes; they set up a new one when they next
        enter.
        """
        reset = [user for user in queryset if services.second_factor_reset(user=user)]
        _note(request, reset, "Second factor reset.")
        text = ngettext(
            "The second factor of %(n)s person was reset.", "The second factor of %(n)s people was reset.", len(reset)
        )
        self.message_user(request, text % {"n": len(reset)}, messages.SUCCESS)


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Tokens of everybody, to look at and to revoke; the tokens themselves are nowhere."""

    list_display = ("prefix", "name", "user", "scope_list", "state", "created_at", "expires_at", "last_used_at")
    list_select_related = ("user",)
    ordering = ("-pk",)
    sortable_by = ()
    search_fields = ("user__username__exact", "prefix__exact")
    search_help_text = _("A whole user name, or the first 16 characters of a token")
    fields = readonly_fields = (
        *("prefix", "name", "user", "scope_list", "state", "created_at", "expires_at", "last_used_at", "revoked_at"),
    )
    actions = ("revoke",)  # type: ignore[assignment]  # revoking is no edit

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and _is_superuser(request)

    scope_list = column(_("scopes"), lambda token: ", ".join(token.scopes))

    @admin.display(description=_("state"))
    def state(self, token: ApiToken) -> str | Promise:
        if token.revoked_at is not None:
            return pgettext_lazy("token", "revoked")
        return (
            pgettext_lazy("token", "active") if token.expires_at > timezone.now() else pgettext_lazy("token", "expired")
        )

    @admin.action(description=_("Revoke"))
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        ended = list(queryset.filter(revoked_at=None))
        for token in ended:
            services.token_revoke(token=token)
        _note(request, ended, "Revoked.")
        text = ngettext("%(n)s token was revoked.", "%(n)s tokens were revoked.", len(ended)) % {"n": len(ended)}
        self.message_user(request, text, messages.SUCCESS)


def _note(request: HttpRequest, rows: Sequence[Model], what: str) -> None:
    """In the administration's history."""
    assert request.user.pk is not None
    LogEntry.objects.log_actions(request.user.pk, rows, CHANGE, what)


def _is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)
