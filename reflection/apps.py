from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ReflectionConfig(AppConfig):
    name = "reflection"
    verbose_name = _("Reflections")

    def ready(self) -> None:
        from core.problems import problems_register_errors
        from reflection import errors

        problems_register_errors(errors.ReflectionQualityError, errors.ReviewRefused)
