from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PlanningConfig(AppConfig):
    name = "planning"
    verbose_name = _("Plans")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed, learner_erased
        from core.problems.documents import problems_register_errors
        from memory.strategy.registry import task_types_register
        from planning import errors, receivers
        from planning.experience import settings
        from planning.models import Plan
        from planning.templates import task_types
        from telemetry.chains.owners import chain_keys, chain_owners_register

        guest_absorbed.connect(receivers.plans_move, dispatch_uid="planning.plans_move")
        learner_erased.connect(receivers.plans_go, dispatch_uid="planning.plans_go")
        settings.register()
        chain_owners_register(lambda users: chain_keys(Plan.objects.filter(user__in=users), "plan:"))
        task_types_register(*task_types())
        problems_register_errors(errors)
