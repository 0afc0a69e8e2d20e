from django.apps import AppConfig


class CoreConfig(AppConfig):
    name = "core"

    def ready(self) -> None:
        from core import logs, readiness, readiness_checks
        from core.paging import CursorUnknown
        from core.problem_kinds import problems_register_common
        from core.problems import problems_register_errors

        logs.structlog_configure()
        problems_register_common()
        problems_register_errors(CursorUnknown)
        readiness.register("database", readiness_checks.database)
        readiness.register("migrations", readiness_checks.migrations)
        readiness.register("worker", readiness_checks.worker)
