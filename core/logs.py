"""Logs as one JSON object a line."""

import structlog


def json_formatter() -> structlog.stdlib.ProcessorFormatter:
    """A formatter for both our loggers and those of libraries; line breaks in what is logged cannot forge a line."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
    )
