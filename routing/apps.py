from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RoutingConfig(AppConfig):
    name = "routing"
    verbose_name = _("Consult")

    def ready(self) -> None:
        from core.problems import problems_register_errors
        from routing import errors

        problems_register_errors(
            errors.QueryPlanInvalid,
            errors.ContractsDisagree,
            errors.PackRefused,
            errors.ConsultFailed,
            errors.AuditWriteFailed,
            errors.CorrectionRefused,
        )
