"""Logs as one JSON object a line."""

import logging
from collections.abc import Callable

import structlog

_SHARED: list[structlog.typing.Processor] = [
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def json_formatter() -> structlog.stdlib.ProcessorFormatter:
    """A formatter for both our loggers and those of libraries; line breaks in what is logged cannot forge a line."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=_SHARED,
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
    )


def structlog_configure() -> None:
    """Send what our loggers say the way of all others: through `logging`, with its levels and its one handler."""
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )


def readyz_filter() -> Callable[[logging.LogRecord], bool]:
    """Makes the filter that keeps out what `/readyz` answers each second until all is there: that is no error."""
    return _is_worth_a_line


def _is_worth_a_line(record: logging.LogRecord) -> bool:
    path = getattr(getattr(record, "request", None), "path", "")
    return not (path == "/readyz" and getattr(record, "status_code", None) == 503)
