from django.apps import AppConfig
from django.core.signals import got_request_exception


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core.api import idempotency, incoming, paging
        from core.operations import logs, readiness
        from core.operations.pool import dead_connections_replace
        from core.problems.common import problems_register_common
        from core.problems.documents import problems_register_errors

        logs.structlog_configure()
        got_request_exception.connect(dead_connections_replace)
        problems_register_common()
        for module in (idempotency, incoming, paging):
            problems_register_errors(module)
        readiness.register("database", readiness.database)
        readiness.register("migrations", readiness.migrations)
        readiness.register("worker", readiness.worker)
