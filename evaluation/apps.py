from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class EvaluationConfig(AppConfig):
    name = "evaluation"
    verbose_name = _("Evaluations")

    def ready(self) -> None:
        from core.problems import problems_register_errors
        from evaluation import dashboard, errors

        dashboard.register()
        problems_register_errors(errors.ResultRefused)
