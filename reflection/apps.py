from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReflectionConfig(AppConfig):
    name = "reflection"
    verbose_name = _("Reflections")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed, learner_erased
        from core.problems.documents import problems_register_errors
        from evaluation.signals import evaluations_superseded, reflection_wanted
        from reflection import errors, receivers
        from reflection.board import panels
        from reflection.loop.pending import reflection_nudge
        from telemetry.chains.owners import chain_keys, chain_owners_register

        guest_absorbed.connect(receivers.patterns_move, dispatch_uid="reflection.patterns_move")
        learner_erased.connect(receivers.patterns_go, dispatch_uid="reflection.patterns_go")
        evaluations_superseded.connect(receivers.learned_end, dispatch_uid="reflection.learned_end")
        reflection_wanted.connect(reflection_nudge, dispatch_uid="reflection.nudge")
        panels.register()
        chain_owners_register(lambda users: chain_keys(users, "patterns:"))
        problems_register_errors(errors)
