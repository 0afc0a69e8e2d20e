from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class LessonEngineConfig(AppConfig):
    name = "lesson_engine"
    verbose_name = _("Lessons and sessions")

    def ready(self) -> None:
        from accounts.signals import guest_absorbed, learner_erased
        from core.problems import problems_register_errors
        from gateway.operations import operation_register
        from lesson_engine import dashboard, errors, owner, receivers
        from lesson_engine.escalation import OPERATION

        guest_absorbed.connect(receivers.sessions_move, dispatch_uid="lesson_engine.sessions_move")
        learner_erased.connect(receivers.words_go, dispatch_uid="lesson_engine.words_go")
        owner.register()
        problems_register_errors(
            errors.LessonRefused,
            errors.CourseRefused,
            errors.LessonNotFound,
            errors.LessonMovedOn,
            errors.LessonRetired,
            errors.ActionNotPossible,
            errors.StaleSession,
            errors.ReviewedMeanwhile,
            errors.TurnStillRunning,
            errors.AdaptCommandRefused,
        )
        operation_register(OPERATION)
        dashboard.register()
