from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnalysisConfig(AppConfig):
    name = "analysis"
    verbose_name = _("Analyze")

    def ready(self) -> None:
        from analysis import errors
        from analysis.catalog import faults
        from analysis.execution import failures
        from core.problems.documents import problems_register_errors

        for module in (errors, faults, failures):
            problems_register_errors(module)
