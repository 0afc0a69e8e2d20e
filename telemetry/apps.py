from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TelemetryConfig(AppConfig):
    name = "telemetry"
    verbose_name = _("Telemetry")
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from accounts.signals import tokens_revoked
        from telemetry import receivers
        from telemetry.anchors import sending  # noqa: F401  # registers its system check
        from telemetry.chains import keys  # noqa: F401  # the same
        from telemetry.chains.events import EVENTS
        from telemetry.chains.tables import chained_register

        tokens_revoked.connect(receivers.tokens_ended, dispatch_uid="telemetry.tokens_ended")
        chained_register(EVENTS)
