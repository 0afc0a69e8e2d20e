from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlanningConfig(AppConfig):
    name = "planning"
    verbose_name = _("Plans")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed, learner_erased
        from core.problems import problems_register_errors
        from planning import errors, receivers

        guest_absorbed.connect(receivers.plans_move, dispatch_uid="planning.plans_move")
        learner_erased.connect(receivers.plans_go, dispatch_uid="planning.plans_go")
        problems_register_errors(errors.PlanRefused, errors.PlanNotFound)
