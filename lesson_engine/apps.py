from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LessonEngineConfig(AppConfig):
    name = "lesson_engine"
    verbose_name = _("Lessons and sessions")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed
        from lesson_engine import receivers

        guest_absorbed.connect(receivers.sessions_move, dispatch_uid="lesson_engine.sessions_move")
