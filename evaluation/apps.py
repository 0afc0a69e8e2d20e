from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = _("Evaluations")

    def ready(self) -> None:
        from core.problems.documents import problems_register_errors
        from evaluation import errors
        from evaluation.board import panels

        panels.register()
        problems_register_errors(errors)
