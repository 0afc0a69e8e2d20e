from django.apps import AppConfig


class GatewayConfig(AppConfig):
    name = "gateway"

    def ready(self) -> None:
        from core import readiness
        from gateway import embeddings

        readiness.register("embedder", embeddings.readiness)
