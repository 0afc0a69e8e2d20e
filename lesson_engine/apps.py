from django.apps import AppConfig


class LessonEngineConfig(AppConfig):
    name = "lesson_engine"

    def ready(self) -> None:
        from accounts.signals import guest_absorbed
        from lesson_engine import receivers

        guest_absorbed.connect(receivers.sessions_move, dispatch_uid="lesson_engine.sessions_move")
