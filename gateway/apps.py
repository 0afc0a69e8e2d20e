from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GatewayConfig(AppConfig):
    name = "gateway"
    verbose_name = _("Models and money")

    def ready(self) -> None:
        from core import readiness
        from gateway import embeddings

        readiness.register("embedder", embeddings.readiness)
