from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LessonEngineConfig(AppConfig):
    name = "lesson_engine"
    verbose_name = _("Lessons and sessions")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed, learner_erased
        from core.problems.documents import problems_register_errors
        from gateway.operations.registry import operation_register
        from lesson_engine import errors, receivers
        from lesson_engine.dashboard.register import dashboard_register
        from lesson_engine.escalation.asking import OPERATION
        from lesson_engine.models import Session
        from lesson_engine.selectors import account_owner
        from lesson_engine.services.turn_witness import TURNS
        from telemetry.chains.owners import chain_keys, chain_owners_register
        from telemetry.chains.tables import witness_register

        guest_absorbed.connect(receivers.sessions_move, dispatch_uid="lesson_engine.sessions_move")
        learner_erased.connect(receivers.words_go, dispatch_uid="lesson_engine.words_go")
        account_owner.register()
        chain_owners_register(lambda users: chain_keys(Session.objects.filter(user__in=users)))
        problems_register_errors(errors)
        operation_register(OPERATION)
        dashboard_register()
        witness_register(TURNS)
