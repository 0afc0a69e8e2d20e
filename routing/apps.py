from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RoutingConfig(AppConfig):
    name = "routing"
    verbose_name = _("Consult")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed, learner_erased
        from core.problems.documents import problems_register_errors
        from gateway.operations.registry import operation_register
        from routing import errors, receivers
        from routing.audit.table import ENTRIES
        from routing.board import dashboard
        from routing.models import Question
        from routing.understanding.opinions import OPERATION
        from telemetry.chains.owners import chain_keys, chain_owners_register
        from telemetry.chains.tables import chained_register

        guest_absorbed.connect(receivers.questions_move, dispatch_uid="routing.questions_move")
        learner_erased.connect(receivers.questions_go, dispatch_uid="routing.questions_go")
        problems_register_errors(errors)
        chained_register(ENTRIES)
        operation_register(OPERATION)
        dashboard.register()
        chain_owners_register(lambda users: chain_keys(Question.objects.filter(user__in=users), "query:"))
