from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class MemoryConfig(AppConfig):
    name = "memory"
    verbose_name = _("Memory")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed, learner_erased
        from core.problems.documents import problems_register_errors
        from memory import errors, receivers

        guest_absorbed.connect(receivers.memories_move, dispatch_uid="memory.memories_move")
        learner_erased.connect(receivers.memories_go, dispatch_uid="memory.memories_go")
        problems_register_errors(errors)
