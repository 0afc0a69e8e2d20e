from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core import logs, readiness, readiness_checks

        logs.structlog_configure()
        readiness.register("database", readiness_checks.database)
        readiness.register("migrations", readiness_checks.migrations)
        readiness.register("worker", readiness_checks.worker)
