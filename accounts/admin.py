"""People, for staff."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy as _

from accounts.forms import AccountForm
from accounts.models import User

if TYPE_CHECKING:
    _Base = UserAdmin[User]
else:  # generic for the type checker only
    _Base = UserAdmin


@admin.register(User)
class AccountAdmin(_Base):
    """Django's own user admin, with role and guest."""

    form = AccountForm
    list_display = ("username", "role", "is_guest", "is_active", "last_login", "date_joined")
    list_filter = ("role", "is_guest", "is_active")
    show_full_result_count = False
    fieldsets = (*(UserAdmin.fieldsets or ()), (_("Andamio"), {"fields": ("role", "is_guest")}))
    readonly_fields = ("is_guest", "last_login", "date_joined")
