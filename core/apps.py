from django.apps import AppConfig
from django.db.backends.signals import connection_created


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core.api import idempotency, incoming, paging
        from core.operations import logs, readiness, rights  # noqa: F401 - rights has a check of the deployment
        from core.operations.pool import dead_connection_replace
        from core.problems.common import problems_register_common
        from core.problems.documents import problems_register_errors

        logs.structlog_configure()
        connection_created.connect(dead_connection_replace)
        problems_register_common()
        for module in (idempotency, incoming, paging):
            problems_register_errors(module)
        readiness.register("database", readiness.database)
        readiness.register("migrations", readiness.migrations)
        readiness.register("worker", readiness.worker)
