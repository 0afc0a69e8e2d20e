"""Logs as one JSON object a line, without the words of learners that errors quote."""

import logging
import sys
from collections.abc import Callable, Iterator

import psycopg
import structlog
from pydantic import ValidationError

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
            _exception_told,
            structlog.processors.JSONRenderer(),
        ],
    )


def _exception_told(
    logger: structlog.typing.WrappedLogger, name: str, line: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Format the exception, and leave out what it quotes of rows and requests, there and in the line itself."""
    info = line.get("exc_info")  # ours say true, those of libraries bring it
    error = info[1] if isinstance(info, tuple) else sys.exc_info()[1] if info is True else info
    quoting = dict(_quoting(error)) if isinstance(error, BaseException) else {}
    line = structlog.processors.format_exc_info(logger, name, line)
    for text, brief in quoting.items():
        for key in ("event", "exception"):
            line[key] = str(line.get(key, "")).replace(text, brief).replace(repr(text)[1:-1], brief)
    return line


def _quoting(error: BaseException | None) -> Iterator[tuple[str, str]]:
    """What each error of the chain says, if it may quote, and what is kept of that."""
    seen = set[int]()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        around = (error, error.__cause__, getattr(error, "orig", None))  # Django's and SQLAlchemy's are about another's
        said = [_primary(one) for one in around if isinstance(one, psycopg.Error) and one.diag.message_primary]
        if said:
            yield str(error), said[0]
        elif isinstance(error, ValidationError):
            yield str(error), f"{error.error_count()} errors in {error.title}"
        error = error.__cause__ or error.__context__


def _primary(error: psycopg.Error) -> str:
    """What the server complains of, without the details, which quote rows; data that it cannot read it quotes here."""
    text = str(error.diag.message_primary)
    return text.partition(":")[0] if str(error.sqlstate).startswith("22") else text


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
