from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from accounts import errors
        from accounts.api import schema  # noqa: F401 - registers itself
        from accounts.sign_in import second_factor  # noqa: F401 - registers itself
        from core.problems.documents import problems_register_errors

        problems_register_errors(errors)
