from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from django.contrib.auth.signals import user_logged_in

        from accounts import errors
        from accounts.api import schema  # noqa: F401 - registers itself
        from accounts.sign_in import (
            second_factor,  # noqa: F401 - registers itself
            staff_sessions,
        )
        from core.problems.documents import problems_register_errors

        user_logged_in.connect(staff_sessions.session_begin, dispatch_uid="accounts.session_begin")
        problems_register_errors(errors)
