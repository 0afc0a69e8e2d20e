from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AccountsConfig(AppConfig):
    name = "accounts"
    verbose_name = _("People")

    def ready(self) -> None:
        from accounts import api_schema, checks, errors  # noqa: F401 - the first two register themselves
        from core.problems import problems_register_errors

        problems_register_errors(
            errors.TokenRefused,
            errors.TokensLockedOut,
            errors.ScopeMissing,
            errors.SecondFactorRequired,
            errors.LearnersNotManaged,
            errors.PseudonymRefused,
            errors.EraseRefused,
        )
