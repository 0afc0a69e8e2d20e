from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RoutingConfig(AppConfig):
    name = "routing"
    verbose_name = _("Consult")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed, learner_erased
        from core.problems import problems_register_errors
        from gateway.operations import operation_register
        from routing import dashboard, errors, receivers
        from routing.audit import checks  # noqa: F401  # registers itself
        from routing.audit.table import ENTRIES
        from routing.opinions import OPERATION
        from telemetry.chained import chained_register

        guest_absorbed.connect(receivers.questions_move, dispatch_uid="routing.questions_move")
        learner_erased.connect(receivers.questions_go, dispatch_uid="routing.questions_go")
        problems_register_errors(
            errors.QueryPlanInvalid,
            errors.ContractsDisagree,
            errors.PackRefused,
            errors.ConsultFailed,
            errors.AuditWriteFailed,
            errors.CorrectionRefused,
        )
        chained_register(ENTRIES)
        operation_register(OPERATION)
        dashboard.register()
